package impact

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/operator/resources"
)

func valkey(replicas int32, changes ...func(*v1alpha1.Valkey)) *v1alpha1.Valkey {
	password := "geheim"
	v := &v1alpha1.Valkey{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "app", UID: "u"},
		Spec: v1alpha1.ValkeySpec{
			Image: "valkey/valkey:9.1", ImagePullPolicy: corev1.PullIfNotPresent, Replicas: &replicas, User: "root", Password: &password,
			Volume:   v1alpha1.VolumeSpec{Enabled: true, Storage: "1Gi", Reclaim: v1alpha1.ReclaimDelete},
			Resource: v1alpha1.ResourceSpec{CPU: "200m", Memory: "512Mi", Storage: "1Gi"},
		},
	}
	for _, change := range changes {
		change(v)
	}
	return v
}

func image(v *v1alpha1.Valkey)    { v.Spec.Image = "valkey/valkey:9.2" }
func memory(v *v1alpha1.Valkey)   { v.Spec.Resource.Memory = "1Gi" }
func storage(v *v1alpha1.Valkey)  { v.Spec.Volume.Storage = "2Gi" }
func retain(v *v1alpha1.Valkey)   { v.Spec.Volume.Reclaim = v1alpha1.ReclaimRetain }
func noVolume(v *v1alpha1.Valkey) { v.Spec.Volume = v1alpha1.VolumeSpec{} }
func user(v *v1alpha1.Valkey)     { v.Spec.User = "admin" }
func primary2(v *v1alpha1.Valkey) { v.Status.Primary = "app-node-2" }

func TestEffects(t *testing.T) {
	const rolls = ", replicas first, each in sync before the next, the primary last after it has handed over"
	for name, test := range map[string]struct {
		before, after *v1alpha1.Valkey
		want          []string
	}{
		"a new one":                           {nil, valkey(3), []string{"starts 3 servers: one primary and 2 replicas of it", "makes 3 claims of 1Gi each"}},
		"a new one alone":                     {nil, valkey(1), []string{"starts 1 server, alone", "makes 1 claim of 1Gi"}},
		"a new one that keeps nothing":        {nil, valkey(2, noVolume), []string{"starts 2 servers: one primary and 1 replica of it", "keeps no data: without a volume what a server holds is lost when its pod ends"}},
		"a new one that is stopped":           {nil, valkey(0), []string{"makes it stopped: no server runs until it is started"}},
		"the image of three":                  {valkey(3), valkey(3, image), []string{"rolls 3 nodes" + rolls + " (image)"}},
		"the image and memory of one":         {valkey(1), valkey(1, image, memory), []string{"restarts the one server: it is away until it is back, the data is kept (image, memory)"}},
		"the image of one that keeps nothing": {valkey(1, noVolume), valkey(1, noVolume, image), []string{"!restarts the one server: without a volume all data is lost (image)"}},
		"the image of a stopped one":          {valkey(0), valkey(0, image), []string{"is in force from the next start on (image)"}},
		"a stop of one server":                {valkey(1), valkey(0), []string{"stops the server: nothing is served; the data is kept on the claims"}},
		"a stop":                              {valkey(3), valkey(0), []string{"stops all 3 servers: nothing is served; the data is kept on the claims"}},
		"a stop of one that keeps nothing":    {valkey(2, noVolume), valkey(0, noVolume), []string{"!stops all 2 servers: without a volume all data is lost"}},
		"a start":                             {valkey(0), valkey(2), []string{"starts 2 servers with the data of the claims, as far as there are"}},
		"a start of one that keeps nothing":   {valkey(0, noVolume), valkey(1, noVolume), []string{"starts 1 server, empty"}},
		"more":                                {valkey(2), valkey(4), []string{"adds app-node-3, app-node-2: each copies the data of the primary"}},
		"fewer":                               {valkey(3), valkey(2), []string{"removes app-node-2", "deletes claim app-node-2: the other nodes have the data"}},
		"fewer, the primary among them":       {valkey(3, primary2), valkey(1), []string{"removes app-node-2, app-node-1, the primary among them: it hands over first, and no write is lost", "deletes claims app-node-2, app-node-1: the other nodes have the data"}},
		"fewer, their claims kept":            {valkey(3, retain), valkey(2, retain), []string{"removes app-node-2", "keeps claim app-node-2"}},
		"growing":                             {valkey(2), valkey(2, storage), []string{"grows 2 claims from 1Gi to 2Gi, where the storage class can: a claim never shrinks again"}},
		"keeping claims":                      {valkey(2), valkey(2, retain), []string{"from now on the claim of a node that is removed is kept, also when the Valkey is deleted"}},
		"not keeping claims":                  {valkey(2, retain), valkey(2), []string{"from now on the claim of a node that is removed is deleted, and all of them with the Valkey"}},
		"another user":                        {valkey(2), valkey(2, user), []string{"applied live: the user admin takes the place of root, who cannot log in any more"}},
		"another password":                    {valkey(2), valkey(2, func(v *v1alpha1.Valkey) { v.Spec.Password = new("x") }), []string{"applied live: the password changes; applications find it in the Secret app"}},
		"the password of a Secret": {valkey(2), valkey(2, func(v *v1alpha1.Valkey) {
			v.Spec.Password, v.Spec.PasswordSecretRef = nil, &v1alpha1.SecretKeyRef{Name: "mine", Key: "password"}
		}), []string{"applied live: the password becomes that of the Secret mine; applications find it in the Secret app"}},
		"the same memory written otherwise":      {valkey(2), valkey(2, func(v *v1alpha1.Valkey) { v.Spec.Resource.Memory = "524288Ki" }), []string{"applied live: nothing happens to the servers"}},
		"a label":                                {valkey(2), valkey(2, func(v *v1alpha1.Valkey) { v.Labels = map[string]string{"a": "b"} }), []string{"applied live: nothing happens to the servers"}},
		"the heaviest comes first":               {valkey(2, noVolume), valkey(0, noVolume, user), []string{"!stops all 2 servers: without a volume all data is lost", "applied live: the user admin takes the place of root, who cannot log in any more"}},
		"what comes from the cluster is cleaned": {valkey(2), valkey(2, func(v *v1alpha1.Valkey) { v.Spec.User = "a\x1b[2J" }), []string{"applied live: the user a takes the place of root, who cannot log in any more"}},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, e := range Of(test.before, test.after) {
				mark := ""
				if e.Weight == Danger {
					mark = "!"
				}
				got = append(got, mark+e.Text)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}

// edits change each field of the spec. A new field of the API makes the test fail until it stands here.
var edits = map[string]func(*v1alpha1.ValkeySpec){
	"Image":           func(s *v1alpha1.ValkeySpec) { s.Image = "valkey/valkey:8" },
	"ImagePullPolicy": func(s *v1alpha1.ValkeySpec) { s.ImagePullPolicy = corev1.PullAlways },
	"Replicas":        func(s *v1alpha1.ValkeySpec) { s.Replicas = new(int32(5)) },
	"User":            func(s *v1alpha1.ValkeySpec) { s.User = "other" },
	"Password":        func(s *v1alpha1.ValkeySpec) { s.Password = new("other") },
	"PasswordSecretRef": func(s *v1alpha1.ValkeySpec) {
		s.Password, s.PasswordSecretRef = nil, &v1alpha1.SecretKeyRef{Name: "other", Key: "password"}
	},
	"Volume.Enabled":          nil, // cannot change
	"Volume.StorageClassName": nil, // cannot change
	"Volume.Storage":          func(s *v1alpha1.ValkeySpec) { s.Volume.Storage = "5Gi" },
	"Volume.Reclaim":          func(s *v1alpha1.ValkeySpec) { s.Volume.Reclaim = v1alpha1.ReclaimRetain },
	"Resource.Memory":         func(s *v1alpha1.ValkeySpec) { s.Resource.Memory = "2Gi" },
	"Resource.CPU":            func(s *v1alpha1.ValkeySpec) { s.Resource.CPU = "2.5" },
	"Resource.Storage":        func(s *v1alpha1.ValkeySpec) { s.Resource.Storage = "7Gi" },
	"Config":                  func(s *v1alpha1.ValkeySpec) { s.Config = map[string]v1alpha1.ConfigValue{"maxclients": "10"} },
	"NodeSelector":            func(s *v1alpha1.ValkeySpec) { s.NodeSelector = map[string]string{"a": "b"} },
	"Tolerations": func(s *v1alpha1.ValkeySpec) {
		s.Tolerations = []corev1.Toleration{{Operator: corev1.TolerationOpExists}}
	},
	"Affinity": func(s *v1alpha1.ValkeySpec) { s.Affinity = &corev1.Affinity{} },
	"TopologySpreadConstraints": func(s *v1alpha1.ValkeySpec) {
		s.TopologySpreadConstraints = []corev1.TopologySpreadConstraint{{MaxSkew: 1, TopologyKey: "zone"}}
	},
	"PriorityClassName": func(s *v1alpha1.ValkeySpec) { s.PriorityClassName = "high" },
}

// What is said to roll is what changes the pods' template that the operator builds, and what is said to grow is what changes the claim's size.
func TestEffectsAreWhatTheOperatorDoes(t *testing.T) {
	var known []string
	for i := range reflect.TypeFor[v1alpha1.ValkeySpec]().NumField() {
		field := reflect.TypeFor[v1alpha1.ValkeySpec]().Field(i)
		if field.Type.Kind() != reflect.Struct {
			known = append(known, field.Name)
			continue
		}
		for j := range field.Type.NumField() {
			known = append(known, field.Name+"."+field.Type.Field(j).Name)
		}
	}
	slices.Sort(known)
	if diff := cmp.Diff(known, slices.Sorted(maps.Keys(edits))); diff != "" {
		t.Fatalf("fields of the API that nothing is said of (-API +here):\n%s", diff)
	}
	check := func(name string, before, after *v1alpha1.Valkey) {
		template := func(v *v1alpha1.Valkey) corev1.PodTemplateSpec {
			return resources.Deployment(v, 0, false).Spec.Template
		}
		size := func(v *v1alpha1.Valkey) string {
			return resources.Claim(v, 0).Spec.Resources.Requests.Storage().String()
		}
		said := ""
		for _, e := range Of(before, after) {
			said += e.Text + "\n"
		}
		if rolls := !reflect.DeepEqual(template(before), template(after)); rolls != strings.Contains(said, "rolls 2 nodes") {
			t.Errorf("%s: the pods' template changes: %v, and what is said is: %s", name, rolls, said)
		}
		if grows := size(before) != size(after); grows != strings.Contains(said, "grows ") {
			t.Errorf("%s: the claim's size changes: %v, and what is said is: %s", name, grows, said)
		}
	}
	for name, edit := range edits {
		if edit == nil {
			continue
		}
		after := valkey(2)
		edit(&after.Spec)
		check(name, valkey(2), after)
		bare := func(v *v1alpha1.Valkey) { v.Spec.Volume.Storage = "" } // the claim's size is that of resource.storage
		before := valkey(2, bare)
		after = valkey(2, bare)
		edit(&after.Spec)
		check(name+" without a size of its own", before, after)
	}
	check("a restart", valkey(2), valkey(2, func(v *v1alpha1.Valkey) { v.Annotations = map[string]string{v1alpha1.AnnotationRestartedAt: "now"} }))
	check("another annotation", valkey(2), valkey(2, func(v *v1alpha1.Valkey) { v.Annotations = map[string]string{"a": "b"} }))
}
