//go:build integration

package main

import (
	"encoding/base64"
	"strings"
	"testing"

	rbacv1 "k8s.io/api/rbac/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"sigs.k8s.io/yaml"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/test/apiserver"
)

// The command line of the original works word for word.
func TestCreateAsTheOriginal(t *testing.T) {
	kubeconfig, namespace := cluster(t)
	fresh := namespace + "-new"
	flags := []string{
		"--name=test", "--namespace=" + fresh, "--image=valkey/valkey", "--user=root", "--pass=root", "--replicas=1",
		"--volume_enabled=true", "--cpu=200m", "--memory=512Mi", "--storage=512Mi",
	}
	r := valkeyctl(t, kubeconfig, append([]string{"create"}, flags...)...)
	r.expect(t, exitOK, "valkey/test created")
	if !strings.Contains(r.err, "namespace/"+fresh+" created") {
		t.Errorf("the new namespace is not told: %s", r.err)
	}
	valkeyctl(t, kubeconfig, append([]string{"valkey", "create"}, flags...)...).expect(t, exitRefused, `valkey "test" exists already`)

	v := getValkey(t, kubeconfig, fresh, "test")
	spec := v.Spec
	if spec.Image != "valkey/valkey" || spec.User != "root" || spec.Password == nil || *spec.Password != "root" || *spec.Replicas != 1 ||
		!spec.Volume.Enabled || spec.Volume.Storage != "512Mi" || spec.Resource.CPU != "200m" || spec.Resource.Memory != "512Mi" || spec.Resource.Storage != "512Mi" {
		t.Errorf("spec: %+v", spec)
	}
	valkeyctl(t, kubeconfig, "create", "-n", fresh, "--name", "words", "--volume_enabled", "false", "--pass", "x").expect(t, exitOK, "valkey/words created")
	if getValkey(t, kubeconfig, fresh, "words").Spec.Volume.Enabled {
		t.Error("--volume_enabled false is not heard")
	}
}

func getValkey(t testing.TB, kubeconfig, namespace, name string) *v1alpha1.Valkey {
	t.Helper()
	r := valkeyctl(t, kubeconfig, "get", name, "-n", namespace, "-o", "yaml", "--show-password")
	r.expect(t, exitOK)
	v := &v1alpha1.Valkey{}
	if err := yaml.Unmarshal([]byte(r.out), v); err != nil {
		t.Fatalf("%v in:\n%s", err, r.out)
	}
	return v
}

func TestCreateKeepsThePasswordInASecret(t *testing.T) {
	kubeconfig, namespace := cluster(t)
	client := kubernetes.NewForConfigOrDie(apiserver.Start(t))
	password := func(name string) string {
		secret, err := client.CoreV1().Secrets(namespace).Get(t.Context(), name, metav1.GetOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if len(secret.OwnerReferences) != 1 || secret.OwnerReferences[0].Kind != "Valkey" {
			t.Errorf("Secret %s does not go with its Valkey: %v", name, secret.OwnerReferences)
		}
		return string(secret.Data["password"])
	}

	r := valkeyctl(t, kubeconfig, "create", "made", "-n", namespace)
	r.expect(t, exitOK, "valkey/made created", "made."+namespace+".svc:6379", "kubectl get secret made-password -n "+namespace)
	generated := password("made-password")
	if len(generated) != 24 {
		t.Errorf("a generated password of %d characters", len(generated))
	}
	if strings.Contains(r.out+r.err, generated) {
		t.Error("the password is printed unasked")
	}
	if v := getValkey(t, kubeconfig, namespace, "made"); v.Spec.Password != nil || v.Spec.PasswordSecretRef.Name != "made-password" {
		t.Errorf("spec: %+v", v.Spec)
	}
	shown := valkeyctl(t, kubeconfig, "create", "shown", "-n", namespace, "--show-password")
	shown.expect(t, exitOK, password("shown-password"))

	const odd = `a"b\ #$'é `
	valkeyctlWith(t, kubeconfig, odd+"\n", "create", "typed", "-n", namespace, "--pass-file=-").expect(t, exitOK)
	if got := password("typed-password"); got != odd {
		t.Errorf("password %q, want %q", got, odd)
	}
	valkeyctlWith(t, kubeconfig, "a\nb\n", "create", "two", "-n", namespace, "--pass-file=-").expect(t, exitRefused, "may hold no newline")

	valkeyctl(t, kubeconfig, "create", "bad", "-n", namespace, "--replicas=9").expect(t, exitRefused, "spec.replicas", "less than or equal to 5")
	secrets, err := client.CoreV1().Secrets(namespace).List(t.Context(), metav1.ListOptions{LabelSelector: "app.kubernetes.io/instance=bad"})
	if err != nil || len(secrets.Items) != 0 {
		t.Errorf("a refused Valkey leaves its Secret behind: %v %v", secrets.Items, err)
	}
}

func TestCreateRefusedLeavesNoNamespace(t *testing.T) {
	kubeconfig, namespace := cluster(t)
	fresh := namespace + "-none"
	valkeyctl(t, kubeconfig, "create", "-n", fresh, "--memory=1x").expect(t, exitRefused, "spec.resource.memory", `"1x"`, "e.g. 512Mi")
	_, err := kubernetes.NewForConfigOrDie(apiserver.Start(t)).CoreV1().Namespaces().Get(t.Context(), fresh, metav1.GetOptions{})
	if err == nil {
		t.Error("the namespace of a refused Valkey was created")
	}
	r := valkeyctl(t, kubeconfig, "create", "-n", fresh, "--dry-run=server", "-o", "yaml")
	r.expect(t, exitOK, "namespace: "+fresh, "name: app-db", "imagePullPolicy: IfNotPresent")
	if _, err := kubernetes.NewForConfigOrDie(apiserver.Start(t)).CoreV1().Namespaces().Get(t.Context(), fresh, metav1.GetOptions{}); err == nil {
		t.Error("a dry run has created the namespace")
	}
}

func TestGet(t *testing.T) {
	kubeconfig, namespace := cluster(t)
	r := valkeyctl(t, kubeconfig, "get")
	r.expect(t, exitOK)
	if want := "no Valkeys in namespace " + namespace + "\n"; r.err != want || r.out != "" {
		t.Errorf("of nothing: %q and %q", r.out, r.err)
	}
	valkeyctl(t, kubeconfig, "create", "b", "-n", namespace, "--pass=topsecret").expect(t, exitOK)
	valkeyctl(t, kubeconfig, "create", "a", "-n", namespace).expect(t, exitOK)

	table := valkeyctl(t, kubeconfig, "get")
	table.expect(t, exitOK)
	lines := strings.Split(strings.TrimSpace(table.out), "\n")
	header := "NAME IMAGE CPU MEMORY STATUS ERROR HAS VOLUME VOLUME SIZE REPLICAS READY REPLICAS LAST RECONCILE"
	if len(lines) != 3 || strings.Join(strings.Fields(lines[0]), " ") != header {
		t.Errorf("table:\n%s", table.out)
	}
	if !strings.HasPrefix(lines[1], "a ") || !strings.HasPrefix(lines[2], "b ") {
		t.Errorf("rows:\n%s", table.out)
	}
	valkeyctl(t, kubeconfig, "get", "-A", "-o", "wide").expect(t, exitOK, "NAMESPACE", "PRIMARY", "AGE", namespace)
	valkeyctl(t, kubeconfig, "get", "-o", "name").expect(t, exitOK, "valkey.database.kuberly.io/a\nvalkey.database.kuberly.io/b\n")
	valkeyctl(t, kubeconfig, "get", "-o", "json").expect(t, exitOK, `"kind": "List"`, `"name": "a"`)

	hidden := valkeyctl(t, kubeconfig, "get", "b", "-o", "yaml")
	hidden.expect(t, exitOK, "<hidden>")
	if strings.Contains(hidden.out, "topsecret") {
		t.Errorf("the password is printed unasked:\n%s", hidden.out)
	}
	some := valkeyctl(t, kubeconfig, "get", "nope", "a")
	some.expect(t, exitRefused, `there is no valkey "nope" in namespace "`+namespace+`"`)
	if !strings.Contains(some.out, "a ") {
		t.Errorf("the one that is there is not printed:\n%s", some.out)
	}
}

func TestDescribe(t *testing.T) {
	kubeconfig, namespace := cluster(t)
	valkeyctl(t, kubeconfig, "create", "app", "-n", namespace, "--pass=topsecret", "--set-config=maxmemory-policy=allkeys-lru", "--reclaim=Retain").expect(t, exitOK)
	r := valkeyctl(t, kubeconfig, "describe", "app")
	r.expect(t, exitOK, "Name:", "app", "0 of 1 ready", "in spec.password (hidden)", "maxmemory-policy", "allkeys-lru", "kept when its server is removed", "Events:")
	if strings.Contains(r.out, "topsecret") {
		t.Errorf("the password is printed:\n%s", r.out)
	}
}

// case 3 (dashboard): a bulk scale tells each current and new number, and goes on after an error.
func TestScale(t *testing.T) {
	kubeconfig, namespace := cluster(t)
	for _, name := range []string{"a", "b"} {
		valkeyctl(t, kubeconfig, "create", name, "-n", namespace, "--replicas=2").expect(t, exitOK)
	}
	r := valkeyctl(t, kubeconfig, "scale", "a", "missing", "b", "--replicas=3")
	r.expect(t, exitRefused, `there is no valkey "missing"`)
	if want := "valkey/a scaled from 2 to 3\nvalkey/b scaled from 2 to 3\n"; r.out != want {
		t.Errorf("got:\n%swant:\n%s", r.out, want)
	}
	valkeyctl(t, kubeconfig, "scale", "a", "--replicas=3").expect(t, exitOK, "valkey/a has 3 already")
	valkeyctl(t, kubeconfig, "scale", "a", "--replicas=6").expect(t, exitRefused, "spec.replicas", "less than or equal to 5")
	valkeyctl(t, kubeconfig, "scale", "a", "--replicas=1", "--current-replicas=2").expect(t, exitRefused, "scaled to 3 meanwhile")
	valkeyctl(t, kubeconfig, "scale", "a", "--replicas=0", "--dry-run=server").expect(t, exitOK, "scaled from 3 to 0 (server dry run)")
	r = valkeyctl(t, kubeconfig, "scale", "a", "--replicas=1", "--dry-run=server")
	r.expect(t, exitOK, "valkey/a scaled from 3 to 1 (server dry run)")
	if want := "# removes a-node-2, a-node-1\n# deletes claims a-node-2, a-node-1: the other nodes have the data\n"; r.err != want {
		t.Errorf("what goes is told as\n%swant\n%s", r.err, want)
	}
	if n := *getValkey(t, kubeconfig, namespace, "a").Spec.Replicas; n != 3 {
		t.Errorf("replicas %d after what was refused or a dry run, want 3", n)
	}
}

// A scale to 0 is a stop: it loses no data without a word.
func TestScaleToNothing(t *testing.T) {
	kubeconfig, namespace := cluster(t)
	valkeyctl(t, kubeconfig, "create", "cache", "-n", namespace, "--volume-enabled=false").expect(t, exitOK)
	valkeyctl(t, kubeconfig, "create", "kept", "-n", namespace).expect(t, exitOK)
	valkeyctl(t, kubeconfig, "scale", "cache", "--replicas=0").expect(t, exitUsage, `valkey "cache" has no volume: a stop loses all its data; pass --yes if that is meant`)
	if n := *getValkey(t, kubeconfig, namespace, "cache").Spec.Replicas; n != 1 {
		t.Errorf("%d replicas after a refusal", n)
	}
	r := valkeyctl(t, kubeconfig, "scale", "cache", "--replicas=0", "--yes")
	r.expect(t, exitOK, "valkey/cache scaled from 1 to 0")
	if want := "# stops the server: without a volume all data is lost\n"; r.err != want {
		t.Errorf("what is lost is told as %q", r.err)
	}
	valkeyctl(t, kubeconfig, "scale", "cache", "--replicas=0").expect(t, exitOK, "valkey/cache has 0 already")
	valkeyctl(t, kubeconfig, "scale", "kept", "--replicas=0").expect(t, exitOK, "valkey/kept scaled from 1 to 0")

	server := apiserver.Shared(t)
	server.Grant(t, "scaler", namespace, rbacv1.PolicyRule{APIGroups: []string{v1alpha1.Group}, Resources: []string{"valkeys/scale"}, Verbs: []string{"get", "update", "patch"}})
	scaler := apiserver.Kubeconfig(t, server.AddUser(t, "scaler"), namespace)
	valkeyctl(t, scaler, "scale", "kept", "--replicas=1").expect(t, exitOK, "scaled from 0 to 1")
	valkeyctl(t, scaler, "scale", "kept", "--replicas=0").expect(t, exitRefused, "may not get valkeys")
	valkeyctl(t, scaler, "scale", "kept", "--replicas=0", "--yes").expect(t, exitOK, "scaled from 1 to 0")
}

func TestDelete(t *testing.T) {
	kubeconfig, namespace := cluster(t)
	valkeyctl(t, kubeconfig, "create", "app", "-n", namespace).expect(t, exitOK)
	valkeyctl(t, kubeconfig, "delete", "app").expect(t, exitUsage, "no terminal to ask on", "--yes")
	valkeyctl(t, kubeconfig, "delete", "app", "--yes", "--dry-run=server").expect(t, exitOK, "deleted (server dry run)")
	valkeyctl(t, kubeconfig, "get", "app").expect(t, exitOK)
	valkeyctl(t, kubeconfig, "delete", "app", "--yes").expect(t, exitOK, "valkey/app deleted")
	valkeyctl(t, kubeconfig, "get", "app").expect(t, exitRefused, `there is no valkey "app"`)
	valkeyctl(t, kubeconfig, "delete", "app", "--yes").expect(t, exitRefused, `there is no valkey "app"`)
	valkeyctl(t, kubeconfig, "delete", "app", "--yes", "--ignore-not-found").expect(t, exitOK)
}

func TestVersion(t *testing.T) {
	kubeconfig, _ := cluster(t)
	valkeyctl(t, kubeconfig, "version").expect(t, exitOK, "valkeyctl ", "cluster   v1.")
}

func TestCompletionOfNames(t *testing.T) {
	kubeconfig, namespace := cluster(t)
	valkeyctl(t, kubeconfig, "create", "complete-me", "-n", namespace).expect(t, exitOK)
	valkeyctl(t, kubeconfig, "__complete", "scale", "").expect(t, exitOK, "complete-me")
	valkeyctl(t, kubeconfig, "__complete", "get", "-n", "").expect(t, exitOK, namespace)
	valkeyctl(t, kubeconfig, "__complete", "create", "--reclaim", "").expect(t, exitOK, "Delete", "Retain")
	valkeyctl(t, kubeconfig, "__complete", "create", "--image-pull-policy", "").expect(t, exitOK, "Always", "IfNotPresent", "Never")
	class := &storagev1.StorageClass{ObjectMeta: metav1.ObjectMeta{Name: "complete-fast"}, Provisioner: "example.com/none"}
	classes := kubernetes.NewForConfigOrDie(apiserver.Start(t)).StorageV1().StorageClasses()
	if _, err := classes.Create(t.Context(), class, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	valkeyctl(t, kubeconfig, "__complete", "create", "--storage-class", "").expect(t, exitOK, "complete-fast")
	valkeyctl(t, kubeconfig, "--version").expect(t, exitOK, "valkeyctl ")
	valkeyctl(t, kubeconfig, "completion", "bash").expect(t, exitOK, "complete")
}

// Every verb, for every kind of refusal: the exit code, and words that say what is wrong and how to mend it.
func TestErrors(t *testing.T) {
	server := apiserver.Shared(t)
	kubeconfig, namespace := cluster(t)
	server.Grant(t, "reader", namespace, rbacv1.PolicyRule{APIGroups: []string{v1alpha1.Group}, Resources: []string{"valkeys"}, Verbs: []string{"get", "list", "watch"}})
	reader := apiserver.Kubeconfig(t, server.AddUser(t, "reader"), namespace)
	nobody := apiserver.Kubeconfig(t, server.AddUser(t, "nobody"), namespace)
	valkeyctl(t, kubeconfig, "create", "app", "-n", namespace).expect(t, exitOK)
	down := server.Config()
	down.Host = "https://127.0.0.1:1"
	unreachable := apiserver.Kubeconfig(t, down, namespace)
	stranger := server.Config()
	stranger.CertData, stranger.KeyData = nil, nil
	anonymous := apiserver.Kubeconfig(t, stranger, namespace)
	missing := kubeconfig + "-missing"
	long := strings.Repeat("a", 51)
	veryLong := strings.Repeat("a", 254)

	for name, tc := range map[string]struct {
		kubeconfig string
		args       []string
		code       int
		words      []string
	}{
		"no kubeconfig, get":               {missing, []string{"get"}, exitUsage, []string{missing, "does not exist", "--kubeconfig"}},
		"no kubeconfig, create":            {missing, []string{"create"}, exitUsage, []string{"does not exist"}},
		"no such context":                  {kubeconfig, []string{"get", "--context=nope"}, exitUsage, []string{`context "nope" does not exist`}},
		"unreachable, get":                 {unreachable, []string{"get"}, exitRefused, []string{"cannot reach the cluster at https://127.0.0.1:1", "connection refused"}},
		"unreachable, get -w":              {unreachable, []string{"get", "-w"}, exitRefused, []string{"connection refused"}},
		"unreachable, create":              {unreachable, []string{"create"}, exitRefused, []string{"connection refused"}},
		"unreachable, describe":            {unreachable, []string{"describe", "app"}, exitRefused, []string{"connection refused"}},
		"unreachable, scale":               {unreachable, []string{"scale", "app", "--replicas=1"}, exitRefused, []string{"connection refused"}},
		"unreachable, delete":              {unreachable, []string{"delete", "app", "--yes"}, exitRefused, []string{"connection refused"}},
		"unreachable, logs":                {unreachable, []string{"logs", "app"}, exitRefused, []string{"connection refused"}},
		"unreachable, version":             {unreachable, []string{"version"}, exitRefused, []string{"connection refused"}},
		"credentials, get":                 {anonymous, []string{"get", "--token=wrong"}, exitRefused, []string{"does not accept your credentials", "log in again"}},
		"forbidden, get":                   {nobody, []string{"get"}, exitRefused, []string{`user "nobody" may not list valkeys in namespace "` + namespace + `"`}},
		"forbidden, get -A":                {reader, []string{"get", "-A"}, exitRefused, []string{`user "reader" may not list valkeys in all namespaces`, "-n"}},
		"forbidden, get -w":                {nobody, []string{"get", "-w"}, exitRefused, []string{`may not list valkeys`}},
		"forbidden, get one":               {nobody, []string{"get", "app"}, exitRefused, []string{`may not get valkeys`}},
		"forbidden, create":                {reader, []string{"create", "x", "-n", namespace, "--pass=x"}, exitRefused, []string{`user "reader" may not create valkeys`}},
		"forbidden, create, the Secret":    {reader, []string{"create", "x", "-n", namespace}, exitRefused, []string{`user "reader" may not create secrets`}},
		"forbidden, scale":                 {nobody, []string{"scale", "app", "--replicas=1"}, exitRefused, []string{"may not get valkeys/scale"}},
		"forbidden, delete":                {reader, []string{"delete", "app", "--yes"}, exitRefused, []string{`user "reader" may not delete valkeys`}},
		"forbidden, describe":              {nobody, []string{"describe", "app"}, exitRefused, []string{"may not get valkeys"}},
		"forbidden, logs":                  {reader, []string{"logs", "app"}, exitRefused, []string{"may not list pods"}},
		"not found, describe":              {kubeconfig, []string{"describe", "no"}, exitRefused, []string{`there is no valkey "no" in namespace "` + namespace + `"`}},
		"not found, scale":                 {kubeconfig, []string{"scale", "no", "--replicas=1"}, exitRefused, []string{`there is no valkey "no"`}},
		"not found, logs":                  {kubeconfig, []string{"logs", "no"}, exitRefused, []string{`there is no valkey "no"`}},
		"exists already":                   {kubeconfig, []string{"create", "app", "-n", namespace}, exitRefused, []string{`valkey "app" exists already`}},
		"bad cpu":                          {kubeconfig, []string{"create", "x", "-n", namespace, "--cpu=fast"}, exitRefused, []string{"spec.resource.cpu", `"fast"`, "e.g. 200m"}},
		"bad user":                         {kubeconfig, []string{"create", "x", "-n", namespace, "--user=a b"}, exitRefused, []string{"spec.user", `"a b"`}},
		"bad user of the operator":         {kubeconfig, []string{"create", "x", "-n", namespace, "--user=kuberly-probe"}, exitRefused, []string{"spec.user", "used by the operator itself"}},
		"bad reclaim":                      {kubeconfig, []string{"create", "x", "-n", namespace, "--reclaim=Maybe"}, exitRefused, []string{"spec.volume.reclaim", `"Maybe"`, `"Delete"`, `"Retain"`}},
		"bad directive":                    {kubeconfig, []string{"create", "x", "-n", namespace, "--set-config=port=1"}, exitRefused, []string{"spec.config", "the operator owns", "port"}},
		"bad name":                         {kubeconfig, []string{"create", "Bad_Name", "-n", namespace}, exitRefused, []string{`metadata.name: "Bad_Name" is refused: the name must be lower case letters, digits and dashes, start with a letter`}},
		"bad name, no Secret":              {kubeconfig, []string{"create", "Bad_Name", "-n", namespace, "--pass=x"}, exitRefused, []string{`metadata.name: "Bad_Name" is refused: the name must be lower case letters, digits and dashes, start with a letter`}},
		"bad namespace":                    {kubeconfig, []string{"create", "x", "-n", "Bad_NS"}, exitRefused, []string{`namespace: "Bad_NS" is refused: the name of a namespace is lower case letters`}},
		"bad size":                         {kubeconfig, []string{"create", "x", "-n", namespace, "--storage=1Zi"}, exitRefused, []string{`valkeyctl: spec.resource.storage and spec.volume.storage: "1Zi" is refused: a size is a whole number and Mi, Gi or Ti, e.g. 1Gi` + "\n"}},
		"bad timeout of requests":          {kubeconfig, []string{"get", "--request-timeout=abc"}, exitUsage, []string{"--request-timeout=abc", "no length of time"}},
		"name too long":                    {kubeconfig, []string{"create", long, "-n", namespace}, exitRefused, []string{"at most 50 characters"}},
		"name much too long":               {kubeconfig, []string{"create", veryLong, "-n", namespace, "--pass=x"}, exitRefused, []string{"253"}},
		"a flag that there is not":         {kubeconfig, []string{"get", "--colour"}, exitUsage, []string{"unknown flag: --colour", "valkeyctl get --help"}},
		"a verb that there is not":         {kubeconfig, []string{"destroy"}, exitUsage, []string{`unknown command "destroy"`}},
		"a number that is none":            {kubeconfig, []string{"scale", "app", "--replicas=many"}, exitUsage, []string{"--replicas", "many"}},
		"a boolean that is none":           {kubeconfig, []string{"create", "--volume_enabled=maybe"}, exitUsage, []string{"volume-enabled", "maybe"}},
		"no name":                          {kubeconfig, []string{"scale", "--replicas=1"}, exitUsage, []string{"name at least one"}},
		"no number":                        {kubeconfig, []string{"scale", "app"}, exitUsage, []string{"--replicas is missing"}},
		"two passwords":                    {kubeconfig, []string{"create", "--pass=x", "--pass-prompt"}, exitUsage, []string{"pass"}},
		"a password file that is not":      {kubeconfig, []string{"create", "--pass-file=" + missing}, exitUsage, []string{"--pass-file", "no such file"}},
		"a prompt without a terminal":      {kubeconfig, []string{"create", "--pass-prompt"}, exitUsage, []string{"needs a terminal", "--pass-file=-"}},
		"a selector that is none":          {kubeconfig, []string{"get", "-l", "a=="}, exitOK, nil},
		"a selector that is really none":   {kubeconfig, []string{"get", "-l", "a in"}, exitUsage, []string{"--selector"}},
		"a directive without a value":      {kubeconfig, []string{"create", "--set-config=port"}, exitUsage, []string{"key=value"}},
		"an output format that is unknown": {kubeconfig, []string{"get", "-o", "xml"}, exitUsage, []string{"xml", "yaml"}},
		// case 19 (dashboard)
		"the dashboard without a terminal": {kubeconfig, nil, exitUsage, []string{"needs a terminal", "get", "describe", "create", "scale", "delete", "logs"}},
	} {
		t.Run(name, func(t *testing.T) {
			r := valkeyctl(t, tc.kubeconfig, tc.args...)
			if name == "unreachable, version" {
				r.out = ""
			}
			r.expect(t, tc.code, tc.words...)
		})
	}
}

func TestErrorsWithoutTheCRD(t *testing.T) {
	server := apiserver.New(t)
	kubeconfig := apiserver.Kubeconfig(t, server.Config(), "default")
	removeCRD(t, server.Config())
	for _, args := range [][]string{
		{"get"},
		{"get", "-w"},
		{"get", "app"},
		{"get", "-o", "yaml"},
		{"create"},
		{"create", "--pass=x"},
		{"describe", "app"},
		{"scale", "app", "--replicas=1"},
		{"delete", "app", "--yes"},
		{"logs", "app"},
	} {
		valkeyctl(t, kubeconfig, args...).expect(t, exitRefused, "valkeys.database.kuberly.io is not installed", "make install", "kubectl apply -f dist/install.yaml")
	}
}

func TestPasswordIsBase64InNothing(t *testing.T) {
	kubeconfig, namespace := cluster(t)
	const password = "correct-horse"
	r := valkeyctlWith(t, kubeconfig, password, "create", "quiet", "-n", namespace, "--pass-file=-", "--replicas=9")
	r.expect(t, exitRefused, "spec.replicas")
	for _, secret := range []string{password, base64.StdEncoding.EncodeToString([]byte(password))} {
		if strings.Contains(r.out+r.err, secret) {
			t.Errorf("the password is in the output: %s%s", r.out, r.err)
		}
	}
	refused := valkeyctl(t, kubeconfig, "create", "quiet", "-n", namespace, "--pass=correct-horse\nx")
	refused.expect(t, exitRefused, "spec.password", "no newline")
	if strings.Contains(refused.err, password) {
		t.Errorf("the refusal repeats the password: %s", refused.err)
	}
}
