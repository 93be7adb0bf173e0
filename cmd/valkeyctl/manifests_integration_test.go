//go:build integration

package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"kuberly.io/valkey-operator/api/v1alpha1"
)

const appManifest = `apiVersion: database.kuberly.io/v1alpha1
kind: Valkey
metadata:
  name: app
spec:
  image: valkey/valkey:9.1
  user: root
  password: geheim
  replicas: 3
  volume: {enabled: true, storage: 1Gi}
  resource: {cpu: 200m, memory: 64Mi}
`

func writeManifest(t testing.TB, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "app.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// never fails where a run has shown the password.
func (r result) never(t testing.TB, secrets ...string) {
	t.Helper()
	for _, secret := range secrets {
		if strings.Contains(r.out+r.err, secret) {
			t.Errorf("%q is shown:\n%s%s", secret, r.out, r.err)
		}
	}
}

func TestApplyAndDiff(t *testing.T) {
	kubeconfig, namespace := cluster(t)
	ctl := func(args ...string) result {
		r := valkeyctl(t, kubeconfig, append(args, "-n", namespace)...)
		r.never(t, "geheim", "anders")
		return r
	}
	file := writeManifest(t, appManifest)
	ctl("apply", "-f", file, "--dry-run=client").expect(t, exitOK, "valkey/app applied (dry run)")
	ctl("apply", "-f", file, "--dry-run=server").expect(t, exitOK, "valkey/app created (server dry run)")
	r := ctl("diff", "-f", file)
	if r.code != 1 {
		t.Errorf("a new one: exit code %d\n%s", r.code, r.err)
	}
	for _, word := range []string{"+  image: valkey/valkey:9.1\n", "+  password: '***'\n", "# starts 3 servers: one primary and 2 replicas of it\n", "# makes 3 claims of 1Gi each\n"} {
		if !strings.Contains(r.out, word) {
			t.Errorf("%q is missing in the diff of a new one:\n%s", word, r.out)
		}
	}
	ctl("apply", "-f", file).expect(t, exitOK, "valkey/app created")
	ctl("apply", "-f", file).expect(t, exitOK, "valkey/app unchanged")
	if r := ctl("diff", "-f", file); r.code != 0 || r.out != "" {
		t.Errorf("the same: exit code %d\n%s%s", r.code, r.out, r.err)
	}
	changed := writeManifest(t, strings.NewReplacer("9.1", "9.2", "geheim", "anders", "replicas: 3", "replicas: 2").Replace(appManifest))
	r = ctl("diff", "-f", changed)
	if r.code != 1 {
		t.Errorf("another one: exit code %d\n%s", r.code, r.err)
	}
	golden(t, "diff", strings.ReplaceAll(r.out, namespace, "NAMESPACE"))
	r = ctl("apply", "-f", changed, "-o", "name")
	r.expect(t, exitOK, "valkey.database.kuberly.io/app\n")
	for _, word := range []string{"# removes app-node-2\n", "# deletes claim app-node-2: the other nodes have the data\n", "# rolls 2 nodes, replicas first"} {
		if !strings.Contains(r.err, word) {
			t.Errorf("%q is not told before it is applied:\n%s", word, r.err)
		}
	}
	ctl("apply", "-f", changed, "-o", "json").expect(t, exitOK, `"image": "valkey/valkey:9.2"`, `"password": "\u003chidden\u003e\n"`)

	// What was printed can be applied, and its hidden password stays.
	printed := ctl("get", "app", "-o", "yaml")
	valkeyctlWith(t, kubeconfig, printed.out, "apply", "-f", "-", "-n", namespace).expect(t, exitOK, "valkey/app unchanged")
	if v := getValkey(t, kubeconfig, namespace, "app"); *v.Spec.Password != "anders" {
		t.Error("the password is not what it was")
	}
}

func TestApplyRefuses(t *testing.T) {
	kubeconfig, namespace := cluster(t)
	for name, test := range map[string]struct {
		text string
		code int
		want string
	}{
		"another kind":       {appManifest + "---\napiVersion: v1\nkind: Secret\nmetadata: {name: s}\n", exitUsage, `document 2: Secret "s" is no Valkey`},
		"one twice":          {appManifest + "---\n" + appManifest, exitUsage, "valkey/app stands in - already"},
		"another namespace":  {strings.Replace(appManifest, "name: app", "name: app\n  namespace: other", 1), exitUsage, `valkey/app is in namespace "other", and --namespace says`},
		"a rule in CEL":      {strings.Replace(appManifest, "user: root", "user: kuberly-operator", 1), exitRefused, "spec.user: "},
		"a pattern":          {strings.Replace(appManifest, "64Mi", "64M", 1), exitRefused, "spec.resource.memory: "},
		"a field of none":    {strings.Replace(appManifest, "user: root", "user: root\n  colour: red", 1), exitRefused, "-f -: spec.colour: there is no such field"},
		"a wrong password":   {strings.Replace(appManifest, "geheim", `"geheim\nx"`, 1), exitRefused, "a password may hold no newline"},
		"below zero":         {strings.Replace(appManifest, "replicas: 3", "replicas: -1", 1), exitRefused, `spec.replicas: "-1" is refused: should be greater than or equal to 0` + "\n"},
		"a number for it":    {strings.Replace(appManifest, "geheim", "4711", 1), exitRefused, "spec.password: expected string"},
		"a hidden one":       {strings.Replace(appManifest, "geheim", `"<hidden>\n"`, 1), exitRefused, "it was hidden when this manifest was printed"},
		"nothing":            {"", exitUsage, "-f -: there is no Valkey in it"},
		"no YAML":            {"a: [", exitUsage, "-f -: document 1: line 1: did not find expected node content"},
		"a name that is bad": {strings.Replace(appManifest, "name: app", "name: App_1", 1), exitRefused, `-f -: metadata.name: "App_1" is refused: the name must be lower case letters, digits and dashes`},
	} {
		t.Run(name, func(t *testing.T) {
			r := valkeyctlWith(t, kubeconfig, test.text, "apply", "-f", "-", "-n", namespace)
			r.expect(t, test.code, test.want)
			r.never(t, "geheim", "4711")
			d := valkeyctlWith(t, kubeconfig, test.text, "diff", "-f", "-", "-n", namespace)
			d.expect(t, exitDiffFailed, test.want)
			d.never(t, "geheim", "4711")
		})
	}
	valkeyctl(t, kubeconfig, "apply", "-f", "/no/such/file").expect(t, exitUsage, "-f /no/such/file: no such file or directory")
	valkeyctl(t, kubeconfig, "apply").expect(t, exitUsage, "-f is missing: which manifests?", "`valkeyctl apply -f app.yaml`")
	valkeyctl(t, kubeconfig, "get", "-n", namespace, "-o", "name").expect(t, exitOK, "")
	two := appManifest + "---\n" + strings.NewReplacer("name: app", "name: other", "64Mi", "64M").Replace(appManifest)
	r := valkeyctlWith(t, kubeconfig, two, "apply", "-f", "-", "-n", namespace)
	if r.code != exitRefused || !strings.Contains(r.out, "valkey/app created") || !strings.Contains(r.err, "valkey/other: spec.resource.memory") {
		t.Errorf("one good and one bad: code %d\n%s%s", r.code, r.out, r.err)
	}
}

// keptIn is the path of the file that an edit has kept.
func keptIn(t testing.TB, r result) string {
	t.Helper()
	m := regexp.MustCompile(`what was edited is kept in (\S+)`).FindStringSubmatch(r.err)
	if m == nil {
		t.Fatalf("no path of the file is told:\n%s", r.err)
	}
	return m[1]
}

func TestEdit(t *testing.T) {
	kubeconfig, namespace := cluster(t)
	t.Setenv("TMPDIR", t.TempDir())
	valkeyctlWith(t, kubeconfig, appManifest, "apply", "-f", "-", "-n", namespace).expect(t, exitOK)
	seen := filepath.Join(t.TempDir(), "seen")
	edit := func(script string) result {
		t.Helper()
		path := filepath.Join(t.TempDir(), "editor")
		if err := os.WriteFile(path, []byte("#!/bin/sh\ncat \"$1\" >>"+seen+"\nstat -c %a \"$1\" \"$(dirname \"$1\")\" >>"+seen+".modes\n"+script), 0o700); err != nil {
			t.Fatal(err)
		}
		t.Setenv("KUBE_EDITOR", path)
		r := valkeyctl(t, kubeconfig, "edit", "app", "-n", namespace)
		r.never(t, "geheim", "anders")
		return r
	}
	get := func() *v1alpha1.Valkey { return getValkey(t, kubeconfig, namespace, "app") }

	edit("true").expect(t, exitOK, "valkey/app unchanged")
	edit(": >\"$1\"").expect(t, exitOK, "valkey/app unchanged: the text was empty")
	r := edit(`sed -i s/9.1/9.2/ "$1"`)
	r.expect(t, exitOK, "valkey/app edited")
	if !strings.Contains(r.err, "+  image: valkey/valkey:9.2") || !strings.Contains(r.err, "# rolls 3 nodes, replicas first") {
		t.Errorf("what it does is not told:\n%s", r.err)
	}
	if v := get(); v.Spec.Image != "valkey/valkey:9.2" || *v.Spec.Password != "geheim" {
		t.Errorf("after an edit: %+v", v.Spec)
	}
	if left, _ := os.ReadDir(os.Getenv("TMPDIR")); len(left) != 0 {
		t.Errorf("%d files are left behind", len(left))
	}
	modes, _ := os.ReadFile(seen + ".modes")
	text, _ := os.ReadFile(seen)
	if strings.ReplaceAll(strings.ReplaceAll(string(modes), "600\n", ""), "700\n", "") != "" || strings.Contains(string(text), "geheim") ||
		strings.Contains(string(text), "managedFields") || !strings.Contains(string(text), "<hidden>") {
		t.Errorf("the editor saw a file of the modes %s\n%s", modes, text)
	}

	// What is refused is edited again, with the reason above it; the second time it is mended.
	edit(`if grep -q "Not applied: spec.user" "$1"; then sed -i s/kuberly-operator/admin/ "$1"; else sed -i s/root/kuberly-operator/ "$1"; fi`).expect(t, exitOK, "valkey/app edited")
	if v := get(); v.Spec.User != "admin" {
		t.Errorf("after a refused edit the user is %s", v.Spec.User)
	}
	// One who gives up finds what was written.
	r = edit(`sed -i "s/memory: 64Mi/memory: 64 elephants/" "$1"`)
	r.refuses(t, "spec.resource.memory")
	if data, err := os.ReadFile(keptIn(t, r)); err != nil || !strings.Contains(string(data), "64 elephants") || !strings.Contains(string(data), "# Not applied: spec.resource.memory") {
		t.Errorf("the file that is kept holds %s, %v", data, err)
	}
	r = edit(`echo "kind: [" >"$1"`)
	r.refuses(t, "document 1: line ")
	keptIn(t, r)
	// The number of a line is that of the file as it is opened again, with the reason above the text.
	r = edit(`grep -q "Not applied" "$1" || sed -i 's/^kind: .*/kind: "/' "$1"`)
	r.refuses(t, "document 1: line ")
	data, err := os.ReadFile(keptIn(t, r))
	at := regexp.MustCompile(`document 1: line (\d+)`).FindStringSubmatch(r.err)
	if lines := strings.Split(string(data), "\n"); err != nil || at == nil || !strings.Contains(string(data), "# Not applied: "+at[0]) {
		t.Errorf("the file does not say what the error says: %v\n%s%s", err, r.err, data)
	} else if n, _ := strconv.Atoi(at[1]); n > len(lines) || n < slices.Index(lines, `kind: "`)+1 || strings.HasPrefix(lines[n-1], "#") {
		t.Errorf("line %d is not that of the fault:\n%s", n, data)
	}
	r = edit(`sed -i s/9.2/9.3/ "$1"; exit 3`)
	r.refuses(t, "the editor ended with an error (exit status 3)")
	if data, err := os.ReadFile(keptIn(t, r)); err != nil || !strings.Contains(string(data), "9.3") {
		t.Errorf("the file that is kept holds %s, %v", data, err)
	}
	edit(`sed -i 's/name: app/name: other/' "$1"`).refuses(t, "a name cannot change")
	t.Setenv("KUBE_EDITOR", "/no/such/editor")
	t.Setenv("TMPDIR", t.TempDir())
	r = valkeyctl(t, kubeconfig, "edit", "app", "-n", namespace)
	r.refuses(t, "the editor ended with an error")
	if left, _ := os.ReadDir(os.Getenv("TMPDIR")); len(left) != 0 || strings.Contains(r.err, "is kept") {
		t.Errorf("nothing was edited, and %d files are left: %s", len(left), r.err)
	}
	valkeyctl(t, kubeconfig, "edit", "nobody", "-n", namespace).expect(t, exitRefused, `there is no valkey "nobody"`)
}

// Somebody scales the object while the editor is open: both changes hold. And somebody replaces it: the new one is not touched.
func TestEditDuringOtherChanges(t *testing.T) {
	kubeconfig, namespace := cluster(t)
	t.Setenv("TMPDIR", t.TempDir())
	valkeyctlWith(t, kubeconfig, appManifest, "apply", "-f", "-", "-n", namespace).expect(t, exitOK)
	edit := func(change string, meanwhile func()) result {
		dir := t.TempDir()
		wait, open := filepath.Join(dir, "wait"), filepath.Join(dir, "open")
		script := filepath.Join(dir, "editor")
		text := "#!/bin/sh\ntouch " + open + "\nuntil [ -e " + wait + " ]; do sleep 0.05; done\nsed -i " + change + " \"$1\"\n"
		if err := os.WriteFile(script, []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
		t.Setenv("KUBE_EDITOR", script)
		ended := make(chan result)
		go func() { ended <- valkeyctl(t, kubeconfig, "edit", "app", "-n", namespace) }()
		for _, err := os.Stat(open); err != nil; _, err = os.Stat(open) {
			if t.Context().Err() != nil {
				t.Fatal("the editor does not open")
			}
		}
		meanwhile()
		if err := os.WriteFile(wait, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		return <-ended
	}
	r := edit("s/9.1/9.9/", func() { valkeyctl(t, kubeconfig, "scale", "app", "--replicas=4", "-n", namespace).expect(t, exitOK) })
	r.expect(t, exitOK, "valkey/app edited")
	if !strings.Contains(r.err, "changed by others meanwhile: spec.replicas: 3 -> 4") {
		t.Errorf("what changed meanwhile is not told:\n%s", r.err)
	}
	if v := getValkey(t, kubeconfig, namespace, "app"); *v.Spec.Replicas != 4 || v.Spec.Image != "valkey/valkey:9.9" {
		t.Errorf("after both changes: %+v", v.Spec)
	}
	r = edit("s/64Mi/65Mi/", func() {
		valkeyctl(t, kubeconfig, "delete", "app", "--yes", "-n", namespace).expect(t, exitOK)
		valkeyctlWith(t, kubeconfig, appManifest, "apply", "-f", "-", "-n", namespace).expect(t, exitOK)
	})
	r.refuses(t, "no longer the object you chose")
	keptIn(t, r)
	if v := getValkey(t, kubeconfig, namespace, "app"); v.Spec.Image != "valkey/valkey:9.1" {
		t.Errorf("the new object was changed: %+v", v.Spec)
	}
}

// case 23 (dashboard): a program that is started gets the context and the namespace that were chosen.
func TestEditorGetsContextAndNamespace(t *testing.T) {
	kubeconfig, namespace := cluster(t)
	t.Setenv("TMPDIR", t.TempDir())
	valkeyctlWith(t, kubeconfig, appManifest, "apply", "-f", "-", "-n", namespace).expect(t, exitOK)
	seen := filepath.Join(t.TempDir(), "seen")
	t.Setenv("KUBECONFIG", "/no/such/kubeconfig")
	t.Setenv("KUBE_EDITOR", "sh -c 'echo $KUBECONFIG >"+seen+"; cat $(echo $KUBECONFIG | cut -d: -f1) >>"+seen+"' --")
	valkeyctl(t, kubeconfig, "edit", "app", "-n", namespace).expect(t, exitOK, "unchanged")
	data, err := os.ReadFile(seen)
	if err != nil {
		t.Fatal(err)
	}
	first, file, _ := strings.Cut(string(data), "\n")
	if !strings.HasSuffix(first, ":"+kubeconfig) || !strings.Contains(file, "current-context: test") || !strings.Contains(file, "namespace: "+namespace) {
		t.Errorf("the editor sees KUBECONFIG=%s\n%s", first, file)
	}
	if strings.Contains(file, "client-key") || strings.Contains(file, "token") {
		t.Errorf("credentials are in it:\n%s", file)
	}
}

func TestStopAndStart(t *testing.T) {
	kubeconfig, namespace := cluster(t)
	ctl := func(args ...string) result { return valkeyctl(t, kubeconfig, append(args, "-n", namespace)...) }
	memory := strings.NewReplacer("name: app", "name: cache", "{enabled: true, storage: 1Gi}", "{enabled: false}").Replace(appManifest)
	valkeyctlWith(t, kubeconfig, appManifest+"---\n"+memory, "apply", "-f", "-", "-n", namespace).expect(t, exitOK)
	ctl("stop", "app", "--dry-run=server").expect(t, exitOK, "valkey/app stopped: it had 3 servers, the data is kept (server dry run)")
	ctl("stop", "app", "--dry-run=client").expect(t, exitOK, "valkey/app would change (dry run)")
	ctl("stop", "app").expect(t, exitOK, "valkey/app stopped: it had 3 servers, the data is kept")
	ctl("stop", "app").expect(t, exitOK, "valkey/app is stopped already")
	ctl("start", "app").expect(t, exitOK, "valkey/app started: 3 servers")
	ctl("start", "app").expect(t, exitOK, "valkey/app runs already: 3 servers")
	r := ctl("stop", "cache", "app")
	if r.code != exitUsage || !strings.Contains(r.err, `valkey "cache" has no volume: a stop loses all its data; pass --yes`) || !strings.Contains(r.out, "valkey/app stopped") {
		t.Errorf("one that keeps nothing: code %d\n%s%s", r.code, r.out, r.err)
	}
	ctl("stop", "cache", "--yes").expect(t, exitOK, "valkey/cache stopped: it had 3 servers, their data is lost")
	ctl("start", "cache", "app").expect(t, exitOK, "valkey/cache started: 3 servers", "valkey/app started: 3 servers")
	ctl("start", "app", "--wait", "--dry-run=server").expect(t, exitUsage, "--wait makes no sense")
	ctl("start", "nobody").expect(t, exitRefused, `there is no valkey "nobody"`)
}

// refuses is expect for a refusal of a verb that tells other things on standard error too: the error is the last line.
func (r result) refuses(t testing.TB, words ...string) {
	t.Helper()
	lines := strings.Split(strings.TrimSuffix(r.err, "\n"), "\n")
	last := r
	last.err = lines[len(lines)-1] + "\n"
	last.expect(t, exitRefused, words...)
}
