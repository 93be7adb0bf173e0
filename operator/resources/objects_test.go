package resources_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/pod-security-admission/api"
	"k8s.io/pod-security-admission/policy"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/operator/resources"
)

// each runs a check on every variant.
func each(t *testing.T, check func(t *testing.T, v *v1alpha1.Valkey)) {
	t.Helper()
	of := variants()
	for _, name := range sortedNames(of) {
		t.Run(name, func(t *testing.T) { check(t, of[name]) })
	}
}

func TestNoPasswordOutsideSecrets(t *testing.T) {
	each(t, func(t *testing.T, v *v1alpha1.Valkey) {
		for _, o := range objects(v) {
			text := jsonOf(t, o)
			for _, secret := range secretsOf(passwords) {
				if _, isSecret := o.(*corev1.Secret); !isSecret && (strings.Contains(text, secret) || strings.Contains(text, quoted(secret))) {
					t.Errorf("%T %s holds the password %s", o, o.GetName(), secret)
				}
			}
		}
	})
}

func quoted(s string) string {
	text, err := json.Marshal(s)
	if err != nil {
		return s
	}
	return strings.Trim(string(text), `"`)
}

// Labels and annotations of Secrets are read by many who may not read their data.
func TestSecretsHoldPasswordsInTheirDataAlone(t *testing.T) {
	each(t, func(t *testing.T, v *v1alpha1.Valkey) {
		for _, s := range all[*corev1.Secret](v) {
			text := jsonOf(t, &s.ObjectMeta)
			for _, secret := range secretsOf(passwords) {
				if strings.Contains(text, quoted(secret)) {
					t.Errorf("the metadata of Secret %s hold the password %s", s.Name, secret)
				}
			}
		}
	})
}

func TestACLFileHoldsHashesOnly(t *testing.T) {
	each(t, func(t *testing.T, v *v1alpha1.Valkey) {
		file := string(resources.InternalSecret(v, passwords).Data[resources.KeyACL])
		for _, secret := range secretsOf(passwords) {
			if strings.Contains(file, secret) {
				t.Errorf("the ACL file holds the password %s", secret)
			}
			sum := sha256.Sum256([]byte(secret))
			if !strings.Contains(file, " #"+hex.EncodeToString(sum[:])+" ") {
				t.Errorf("the ACL file lacks the hash of the password %s", secret)
			}
		}
		if strings.Contains(file, "nopass") || strings.Contains(file, ">") {
			t.Errorf("a user needs no password, or has one in plain text:\n%s", file)
		}
		if !strings.Contains(file, "user default ") {
			t.Errorf("without a line for the default user a server lets everybody in:\n%s", file)
		}
	})
}

// Only the server's and the probes' keys reach the pod: who breaks into a server must not get the operator's password.
func TestPodGetsNoMoreThanItNeeds(t *testing.T) {
	each(t, func(t *testing.T, v *v1alpha1.Valkey) {
		for _, d := range all[*appsv1.Deployment](v) {
			for _, volume := range d.Spec.Template.Spec.Volumes {
				if volume.Secret == nil {
					continue
				}
				if len(volume.Secret.Items) == 0 {
					t.Errorf("volume %s mounts the whole Secret", volume.Name)
				}
				for _, item := range volume.Secret.Items {
					if slices.Contains([]string{resources.KeyOperatorPassword, resources.KeyObserverPassword}, item.Key) {
						t.Errorf("volume %s mounts %s", volume.Name, item.Key)
					}
				}
			}
			for _, env := range d.Spec.Template.Spec.Containers[0].Env {
				if env.ValueFrom != nil && env.ValueFrom.SecretKeyRef != nil {
					t.Errorf("%s comes from a Secret: an environment variable is frozen when the container starts", env.Name)
				}
			}
		}
	})
}

func TestPodIsRestricted(t *testing.T) {
	evaluator, err := policy.NewEvaluator(policy.DefaultChecks(), nil)
	if err != nil {
		t.Fatal(err)
	}
	level := api.LevelVersion{Level: api.LevelRestricted, Version: api.LatestVersion()}
	each(t, func(t *testing.T, v *v1alpha1.Valkey) {
		for _, d := range all[*appsv1.Deployment](v) {
			template := d.Spec.Template
			result := policy.AggregateCheckResults(evaluator.EvaluatePod(level, &template.ObjectMeta, &template.Spec))
			if !result.Allowed {
				t.Errorf("%s: %s", d.Name, result.ForbiddenDetail())
			}
			if c := template.Spec.Containers[0].SecurityContext; c.ReadOnlyRootFilesystem == nil || !*c.ReadOnlyRootFilesystem {
				t.Errorf("%s: the root file system is writable", d.Name)
			}
			if m := template.Spec.AutomountServiceAccountToken; m == nil || *m {
				t.Errorf("%s: the pod gets a token for the API server", d.Name)
			}
		}
	})
}

// Two budgets that select one pod make every eviction of it fail.
func TestBudgetsSelectNoPodTwice(t *testing.T) {
	v := variants()["three-without-volume"]
	budgets := all[*policyv1.PodDisruptionBudget](v)
	if len(budgets) < 2 {
		t.Fatalf("%d budgets, want one for the primary and one for the replicas", len(budgets))
	}
	for _, role := range []v1alpha1.Role{v1alpha1.RolePrimary, v1alpha1.RoleReplica, ""} {
		pod := all[*appsv1.Deployment](v)[0].Spec.Template.DeepCopy()
		if role != "" {
			pod.Labels[v1alpha1.LabelRole] = string(role)
		}
		selected := 0
		for _, b := range budgets {
			if selects(t, b.Spec.Selector, pod.Labels) {
				selected++
			}
		}
		if want := map[v1alpha1.Role]int{"": 0}[role]; role == "" && selected != want || role != "" && selected != 1 {
			t.Errorf("%d budgets select a pod of role %q", selected, role)
		}
	}
}

func TestRoleIsInNoImmutableSelector(t *testing.T) {
	each(t, func(t *testing.T, v *v1alpha1.Valkey) {
		for _, d := range all[*appsv1.Deployment](v) {
			if _, ok := d.Spec.Selector.MatchLabels[v1alpha1.LabelRole]; ok {
				t.Errorf("%s selects its pods by their role", d.Name)
			}
			if _, ok := d.Spec.Template.Labels[v1alpha1.LabelRole]; ok {
				t.Errorf("%s gives its pods a role: each roll would take the label back", d.Name)
			}
		}
		for _, o := range objects(v) {
			if _, ok := o.GetLabels()[v1alpha1.LabelRole]; ok {
				t.Errorf("%T %s has a role; only pods have", o, o.GetName())
			}
		}
	})
}

func TestDeploymentsSelectTheirOwnPods(t *testing.T) {
	deployments := all[*appsv1.Deployment](variants()["three-without-volume"])
	for _, d := range deployments {
		for _, other := range deployments {
			if got := selects(t, d.Spec.Selector, other.Spec.Template.Labels); got != (d == other) {
				t.Errorf("%s selects the pods of %s: %v", d.Name, other.Name, got)
			}
		}
	}
}

// The primary's Service must not wait for a probe after a promotion; the role label is its gate.
func TestServicesLeadWhereTheySay(t *testing.T) {
	v := variants()["three-without-volume"]
	for name, c := range map[string]struct {
		service  *corev1.Service
		notReady bool
		roles    []v1alpha1.Role
	}{
		"the primary's":  {resources.PrimaryService(v), true, []v1alpha1.Role{v1alpha1.RolePrimary}},
		"the replicas'":  {resources.ReplicasService(v), false, []v1alpha1.Role{v1alpha1.RoleReplica}},
		"that of all":    {resources.NodesService(v), true, []v1alpha1.Role{v1alpha1.RolePrimary, v1alpha1.RoleReplica, ""}},
		"that of others": {resources.PrimaryService(valkey(func(v *v1alpha1.Valkey) { v.Name = "other" })), true, nil},
	} {
		t.Run(name, func(t *testing.T) {
			if got := c.service.Spec.PublishNotReadyAddresses; got != c.notReady {
				t.Errorf("publishes addresses that are not ready: %v", got)
			}
			for _, role := range []v1alpha1.Role{v1alpha1.RolePrimary, v1alpha1.RoleReplica, ""} {
				pod := all[*appsv1.Deployment](v)[0].Spec.Template.Labels
				if role != "" {
					pod[v1alpha1.LabelRole] = string(role)
				}
				got := selects(t, &metav1.LabelSelector{MatchLabels: c.service.Spec.Selector}, pod)
				if want := slices.Contains(c.roles, role); got != want {
					t.Errorf("leads to a pod of role %q: %v, want %v", role, got, want)
				}
			}
		})
	}
}

// Case 1 (operator): what a client reads in the Secret is the password byte for byte, in the URI too.
func TestUserSecretHasTheExactPassword(t *testing.T) {
	data := resources.UserSecret(variants()["standalone-with-volume"], passwords).Data
	if got := string(data[v1alpha1.SecretKeyPassword]); got != passwords.Admin {
		t.Errorf("password %q, want %q", got, passwords.Admin)
	}
	uri, err := url.Parse(string(data[v1alpha1.SecretKeyURI]))
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := uri.User.Password(); got != passwords.Admin || uri.User.Username() != "root" {
		t.Errorf("the URI says %s with password %q", uri.User.Username(), got)
	}
	if want := "app-db.team-a.svc:6379"; uri.Host != want {
		t.Errorf("the URI leads to %s, want %s", uri.Host, want)
	}
}

// Case 18 (operator): the longest name that is admitted makes only names and labels that Kubernetes admits.
func TestLongestNameFits(t *testing.T) {
	each(t, func(t *testing.T, v *v1alpha1.Valkey) {
		v.Name = "a" + strings.Repeat("b", 48) + "c"
		for _, o := range objects(v) {
			if limit := 63; len(o.GetName()) > limit {
				t.Errorf("%T %s has a name of %d characters", o, o.GetName(), len(o.GetName()))
			}
			for key, value := range o.GetLabels() {
				if len(value) > 63 {
					t.Errorf("label %s of %T has %d characters", key, o, len(value))
				}
			}
		}
	})
}

// Case 17 (operator): maxmemory leaves room below the limit, and what a person sets wins.
func TestMaxmemoryIsBelowTheLimit(t *testing.T) {
	for memory, want := range map[string]int64{"32Mi": 24 << 20, "512Mi": 384 << 20, "4Gi": 3 << 30, "1Ki": 768} {
		v := valkey(func(v *v1alpha1.Valkey) { v.Spec.Resource.Memory = memory })
		if got := resources.Maxmemory(v); got != want {
			t.Errorf("%s: maxmemory %d, want %d", memory, got, want)
		}
	}
	conf := resources.Conf(variants()["default-user-and-config"])
	if got := directives(conf, "maxmemory"); !slices.Equal(got, []string{"100mb"}) {
		t.Errorf("maxmemory is set to %q, want what spec.config says alone", got)
	}
}

// Lines of save add up in the file, so the operator's own must go where a person sets one.
func TestSaveOfTheUserReplacesTheDefault(t *testing.T) {
	if got := directives(resources.Conf(variants()["default-user-and-config"]), "save"); !slices.Equal(got, []string{"60 1"}) {
		t.Errorf("save is set to %q, want what spec.config says alone", got)
	}
	if got := directives(resources.Conf(variants()["three-without-volume"]), "save"); !slices.Equal(got, []string{`""`}) {
		t.Errorf("save is set to %q without a volume, want none", got)
	}
}

// directives are the values that a configuration sets one directive to, in their order.
func directives(conf, name string) []string {
	var out []string
	for line := range strings.Lines(conf) {
		if key, value, _ := strings.Cut(strings.TrimSpace(line), " "); key == name {
			out = append(out, value)
		}
	}
	return out
}

// A change of the configuration changes the pod, a change of nothing does not.
func TestConfigChangesTheTemplate(t *testing.T) {
	annotation := func(change func(*v1alpha1.Valkey)) string {
		return resources.Deployment(valkey(change), 0, false).Spec.Template.Annotations[resources.AnnotationConf]
	}
	same := annotation(func(*v1alpha1.Valkey) {})
	if same == "" || same != annotation(func(*v1alpha1.Valkey) {}) {
		t.Errorf("the hash of one configuration is %q, then %q", same, annotation(func(*v1alpha1.Valkey) {}))
	}
	other := annotation(func(v *v1alpha1.Valkey) { v.Spec.Config = map[string]v1alpha1.ConfigValue{"timeout": "1"} })
	if other == same {
		t.Error("another configuration has the same hash")
	}
}

func TestSameInputSameObjects(t *testing.T) {
	of, again := variants(), variants()
	for _, name := range sortedNames(of) {
		first, second := objects(of[name]), objects(again[name])
		for i := range first {
			if a, b := jsonOf(t, first[i]), jsonOf(t, second[i]); a != b {
				t.Errorf("%s: two answers for %s:\n%s\n%s", name, first[i].GetName(), a, b)
			}
		}
	}
}

func selects(t *testing.T, selector *metav1.LabelSelector, of map[string]string) bool {
	t.Helper()
	s, err := metav1.LabelSelectorAsSelector(selector)
	if err != nil {
		t.Fatal(err)
	}
	return s.Matches(labels.Set(of))
}

func jsonOf(t *testing.T, o any) string {
	t.Helper()
	text, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
