//go:build integration

package v1alpha1_test

import (
	"maps"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// verdict is a change of the declared manifest and the refusal that it has to get; empty where it has to be accepted.
type verdict struct {
	change change
	want   string
}

// verdicts are keyed by what the manifest has.
type verdicts map[string]verdict

func checkCreate(t *testing.T, cases verdicts) {
	t.Helper()
	client := valkeys(t)
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			_, err := client.Create(t.Context(), manifest(t, test.change), metav1.CreateOptions{DryRun: dryRun})
			checkVerdict(t, err, test.want)
		})
	}
}

func TestCreateWhatTheOriginalDeclares(t *testing.T) {
	checkCreate(t, verdicts{
		"the manifest as it is":      {all(), ""},
		"stopped":                    {set("spec.replicas", int64(0)), ""},
		"as many as there may be":    {set("spec.replicas", int64(5)), ""},
		"replicas left out":          {unset("spec.replicas"), ""},
		"cpu in halves":              {set("spec.resource.cpu", "2.5"), ""},
		"cpu in whole cores":         {set("spec.resource.cpu", "2"), ""},
		"memory in Ki":               {set("spec.resource.memory", "65536Ki"), ""},
		"memory in Gi":               {set("spec.resource.memory", "4Gi"), ""},
		"storage in Ti":              {set("spec.volume.storage", "1Ti"), ""},
		"no volume":                  {all(set("spec.volume.enabled", false), unset("spec.volume.storage")), ""},
		"no volume, yet a size":      {set("spec.volume.enabled", false), ""},
		"an image with a tag":        {set("spec.image", "valkey/valkey:9.1"), ""},
		"an image with a digest":     {set("spec.image", "example.org:5000/valkey/valkey@sha256:"+strings.Repeat("a", 64)), ""},
		"six replicas":               {set("spec.replicas", int64(6)), "spec.replicas: Invalid value: 6: spec.replicas in body should be less than or equal to 5"},
		"fewer than none":            {set("spec.replicas", int64(-1)), "spec.replicas: Invalid value: -1: spec.replicas in body should be greater than or equal to 0"},
		"no image":                   {unset("spec.image"), "spec.image: Required value"},
		"an empty image":             {set("spec.image", ""), `spec.image: Invalid value: "": spec.image in body should be at least 1 chars long`},
		"an image with a space":      {set("spec.image", "valkey valkey"), `spec.image: Invalid value: "valkey valkey": spec.image in body should match '^\S+$'`},
		"an image longer than 512":   {set("spec.image", strings.Repeat("a", 513)), "spec.image: Too long: may not be more than 512 bytes"},
		"an unknown pull policy":     {set("spec.imagePullPolicy", "Sometimes"), `spec.imagePullPolicy: Unsupported value: "Sometimes": supported values: "Always", "IfNotPresent", "Never"`},
		"no volume section":          {unset("spec.volume"), "spec.volume: Required value"},
		"no word on the volume":      {unset("spec.volume.enabled"), "spec.volume.enabled: Required value"},
		"no resource section":        {unset("spec.resource"), "spec.resource: Required value"},
		"a priority class too long":  {set("spec.priorityClassName", strings.Repeat("a", 254)), "spec.priorityClassName: Too long: may not be more than 253 bytes"},
		"a toleration of a bad type": {set("spec.tolerations", "all"), `spec.tolerations: Invalid value: "string": spec.tolerations in body must be of type array: "string"`},
	})
}

func TestCreateName(t *testing.T) {
	const (
		tooLong  = "<nil>: Invalid value: the name may be at most 50 characters long: the names of its pods and Services are made of it"
		noLabel  = "<nil>: Invalid value: the name must be lower case letters, digits and dashes, start with a letter and end with a letter or digit: it becomes the name of a Service"
		reserved = "<nil>: Invalid value: the name may not end in -replicas, -nodes, -internal, -observer or -node-N: names of its children end so"
	)
	cases := verdicts{
		"of one letter":           {set("metadata.name", "a"), ""},
		"of 50":                   {set("metadata.name", strings.Repeat("a", 50)), ""},
		"of 41":                   {set("metadata.name", strings.Repeat("a", 41)), ""},
		"of 51":                   {set("metadata.name", strings.Repeat("a", 51)), tooLong},
		"of 63":                   {set("metadata.name", strings.Repeat("a", 63)), tooLong},
		"of 253":                  {set("metadata.name", strings.Repeat("a", 253)), tooLong},
		"that starts with digits": {set("metadata.name", "9lives"), noLabel},
		"with a dot":              {set("metadata.name", "app.db"), noLabel},
		"that is a suffix":        {set("metadata.name", "replicas"), ""},
		"with a suffix inside":    {set("metadata.name", "app-nodes-db"), ""},
		"of a node without index": {set("metadata.name", "app-node-"+"a"), ""},
		"of a node":               {set("metadata.name", "app-node-17"), reserved},
	}
	for _, suffix := range []string{"-replicas", "-nodes", "-internal", "-observer", "-node-0"} {
		cases["that ends in "+suffix] = verdict{set("metadata.name", "app"+suffix), reserved}
	}
	checkCreate(t, cases)
}

func TestCreateUser(t *testing.T) {
	const pattern = " spec.user in body should match '^[A-Za-z0-9_.-]+$'"
	cases := verdicts{
		"default":            {set("spec.user", "default"), ""},
		"every sort of sign": {set("spec.user", "Ab_9.-"), ""},
		"64 characters":      {set("spec.user", strings.Repeat("a", 64)), ""},
		"65 characters":      {set("spec.user", strings.Repeat("a", 65)), "spec.user: Too long: may not be more than 64 bytes"},
		"none":               {unset("spec.user"), "spec.user: Required value"},
		"empty":              {set("spec.user", ""), `spec.user: Invalid value: "": spec.user in body should be at least 1 chars long`},
		"a space":            {set("spec.user", "a b"), `spec.user: Invalid value: "a b":` + pattern},
		"a newline":          {set("spec.user", "a\nuser b"), `spec.user: Invalid value: "a\nuser b":` + pattern},
	}
	for _, name := range []string{"kuberly-operator", "kuberly-replication", "kuberly-probe", "kuberly-observer"} {
		cases["the operator's "+name] = verdict{set("spec.user", name), `spec.user: Invalid value: "` + name + `": this user name is used by the operator itself: choose another`}
	}
	checkCreate(t, cases)
}

func TestCreateVolume(t *testing.T) {
	const needsSize = "spec.volume.storage: Required value: a volume needs a size: set spec.volume.storage (or spec.resource.storage), e.g. 1Gi"
	checkCreate(t, verdicts{
		"size from resource":    {unset("spec.volume.storage"), ""},
		"size of its own":       {unset("spec.resource.storage"), ""},
		"no size":               {unset("spec.volume.storage", "spec.resource.storage"), needsSize},
		"no size, no volume":    {all(set("spec.volume.enabled", false), unset("spec.volume.storage", "spec.resource.storage")), ""},
		"size without a unit":   {set("spec.volume.storage", "1"), `spec.volume.storage: Invalid value: "1": spec.volume.storage in body should match '^[0-9]+[MGT]i$'`},
		"size in Ki":            {set("spec.volume.storage", "1Ki"), `spec.volume.storage: Invalid value: "1Ki": spec.volume.storage in body should match '^[0-9]+[MGT]i$'`},
		"size of nothing":       {set("spec.volume.storage", "0Gi"), `spec.volume.storage: Invalid value: "0Gi": a size must be above zero`},
		"size beyond all sizes": {set("spec.volume.storage", strings.Repeat("9", 15)+"Gi"), "spec.volume.storage: Too long: may not be more than 16 bytes"},
		"a class":               {set("spec.volume.storageClassName", "fast"), ""},
		"an empty class":        {set("spec.volume.storageClassName", ""), `spec.volume.storageClassName: Invalid value: "": spec.volume.storageClassName in body should be at least 1 chars long`},
		"claims kept":           {set("spec.volume.reclaim", "Retain"), ""},
		"claims recycled":       {set("spec.volume.reclaim", "Recycle"), `spec.volume.reclaim: Unsupported value: "Recycle": supported values: "Delete", "Retain"`},
	})
}

func TestCreateResource(t *testing.T) {
	const (
		memoryPattern = " spec.resource.memory in body should match '^[0-9]+[KMG]i$'"
		cpuPattern    = ` spec.resource.cpu in body should match '^([0-9]+m?|[0-9]+\.[0-9]{1,3})$'`
	)
	checkCreate(t, verdicts{
		"the least memory":      {set("spec.resource.memory", "32Mi"), ""},
		"the least, in Ki":      {set("spec.resource.memory", "32768Ki"), ""},
		"less memory":           {set("spec.resource.memory", "31Mi"), `spec.resource.memory: Invalid value: "31Mi": memory must be at least 32Mi`},
		"less memory, in Ki":    {set("spec.resource.memory", "32767Ki"), `spec.resource.memory: Invalid value: "32767Ki": memory must be at least 32Mi`},
		"memory in Ti":          {set("spec.resource.memory", "1Ti"), `spec.resource.memory: Invalid value: "1Ti":` + memoryPattern},
		"memory in decimals":    {set("spec.resource.memory", "512M"), `spec.resource.memory: Invalid value: "512M":` + memoryPattern},
		"no memory":             {unset("spec.resource.memory"), "spec.resource.memory: Required value"},
		"the least cpu":         {set("spec.resource.cpu", "1m"), ""},
		"cpu in thousandths":    {set("spec.resource.cpu", "0.001"), ""},
		"cpu finer than that":   {set("spec.resource.cpu", "0.0001"), `spec.resource.cpu: Invalid value: "0.0001":` + cpuPattern},
		"cpu with a comma":      {set("spec.resource.cpu", "2,5"), `spec.resource.cpu: Invalid value: "2,5":` + cpuPattern},
		"cpu half in thousands": {set("spec.resource.cpu", "2.5m"), `spec.resource.cpu: Invalid value: "2.5m":` + cpuPattern},
		"cpu of nothing":        {set("spec.resource.cpu", "0"), `spec.resource.cpu: Invalid value: "0": cpu must be above zero`},
		"cpu of 0m":             {set("spec.resource.cpu", "0m"), `spec.resource.cpu: Invalid value: "0m": cpu must be above zero`},
		"cpu of 0.0":            {set("spec.resource.cpu", "0.0"), `spec.resource.cpu: Invalid value: "0.0": cpu must be above zero`},
		"no cpu":                {unset("spec.resource.cpu"), "spec.resource.cpu: Required value"},
		"storage of nothing":    {set("spec.resource.storage", "0Mi"), `spec.resource.storage: Invalid value: "0Mi": a size must be above zero`},
		"storage in Ki":         {set("spec.resource.storage", "512Ki"), `spec.resource.storage: Invalid value: "512Ki": spec.resource.storage in body should match '^[0-9]+[MGT]i$'`},
	})
}

func TestCreatePassword(t *testing.T) {
	const (
		exactlyOne = "spec: Invalid value: set exactly one of spec.password and spec.passwordSecretRef"
		ownSecret  = "spec.passwordSecretRef.name: Invalid value: passwordSecretRef may not name a Secret that the operator makes: keep the password in a Secret of another name"
		badByte    = "spec.password: Invalid value: a password may hold no newline and no NUL character"
	)
	checkCreate(t, verdicts{
		"of hard bytes":          {set("spec.password", `a"b\ #$'é`), ""},
		"of blanks":              {set("spec.password", " \t "), ""},
		"of 512 bytes":           {set("spec.password", strings.Repeat("é", 256)), ""},
		"of 513 bytes":           {set("spec.password", strings.Repeat("é", 256)+"x"), "spec.password: Invalid value: a password may be at most 512 bytes long"},
		"of 513 characters":      {set("spec.password", strings.Repeat("x", 513)), "spec.password: Too long: may not be more than 512 bytes"},
		"with a newline":         {set("spec.password", "a\nb"), badByte},
		"with a newline at last": {set("spec.password", "a\n"), badByte},
		"with a NUL":             {set("spec.password", "a\x00b"), badByte},
		"with a backslash and n": {set("spec.password", `a\nb\x00`), ""},
		"empty":                  {set("spec.password", ""), `spec.password: Invalid value: "": spec.password in body should be at least 1 chars long`},
		"missing":                {unset("spec.password"), exactlyOne},
		"twice":                  {set("spec.passwordSecretRef", map[string]any{"name": "credentials"}), exactlyOne},
		"from a Secret":          {secretRef("credentials"), ""},
		"from a Secret's key":    {all(secretRef("credentials"), set("spec.passwordSecretRef.key", "admin")), ""},
		"from no Secret":         {secretRef(""), `spec.passwordSecretRef.name: Invalid value: "": spec.passwordSecretRef.name in body should be at least 1 chars long`},
		"from an empty key":      {all(secretRef("credentials"), set("spec.passwordSecretRef.key", "")), `spec.passwordSecretRef.key: Invalid value: "": spec.passwordSecretRef.key in body should be at least 1 chars long`},
		"from our Secret":        {secretRef("app-db"), ownSecret},
		"from our internal one":  {secretRef("app-db-internal"), ownSecret},
		"from our observer's":    {secretRef("app-db-observer"), ownSecret},
		"from another's Secret":  {secretRef("other-db"), ""},
	})
}

// A refusal reaches terminals, logs of pipelines and audit trails: it must not quote the password.
func TestRefusalHidesPassword(t *testing.T) {
	client := valkeys(t)
	for name, change := range map[string]change{
		"bad byte": set("spec.password", "hushhush\n"),
		"too long": set("spec.password", strings.Repeat("hushhush", 65)),
		"too wide": set("spec.password", strings.Repeat("hushhushé", 57)),
		"twice":    all(set("spec.password", "hushhush"), set("spec.passwordSecretRef", map[string]any{"name": "a"})),
		"another":  all(set("spec.password", "hushhush"), set("spec.resource.cpu", "0")),
	} {
		t.Run(name, func(t *testing.T) {
			_, err := client.Create(t.Context(), manifest(t, change), metav1.CreateOptions{DryRun: dryRun})
			if err == nil {
				t.Fatal("accepted")
			}
			if strings.Contains(err.Error(), "hushhush") {
				t.Errorf("the refusal quotes the password: %v", err)
			}
		})
	}
}

func TestDefaults(t *testing.T) {
	client := valkeys(t)
	changes := all(unset("spec.replicas"), secretRef("credentials"))
	made, err := client.Create(t.Context(), manifest(t, changes), metav1.CreateOptions{DryRun: dryRun})
	if err != nil {
		t.Fatal(err)
	}
	spec, _ := made.Object["spec"].(map[string]any)
	volume, _ := spec["volume"].(map[string]any)
	ref, _ := spec["passwordSecretRef"].(map[string]any)
	got := map[string]any{
		"replicas": spec["replicas"], "imagePullPolicy": spec["imagePullPolicy"],
		"reclaim": volume["reclaim"], "key": ref["key"],
	}
	want := map[string]any{"replicas": int64(1), "imagePullPolicy": "IfNotPresent", "reclaim": "Delete", "key": "password"}
	if !maps.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
