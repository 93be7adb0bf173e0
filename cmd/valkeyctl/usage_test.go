package main

import "testing"

// What is wrong with the command line is one line that says what, where and how to mend it, in words of no programming language.
func TestUsage(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"scale", "app", "--replicas=abc"}, `--replicas=abc: "abc" is no whole number; see ` + "`valkeyctl scale --help`"},
		{[]string{"scale", "app", "--replicas=99999999999"}, `"99999999999" is out of range`},
		{[]string{"scale", "app", "--replicas=-1"}, "--replicas=-1: the number of servers is below zero; 0 to 5, where 0 is stopped"},
		{[]string{"create", "--replicas=-1"}, "--replicas=-1: the number of servers is below zero"},
		{[]string{"get", "--watch=zz"}, `--watch=zz: "zz" is neither true nor false; see ` + "`valkeyctl get --help`"},
		{[]string{"logs", "app", "--since=x"}, `--since=x: "x" is no length of time such as 30s or 5m`},
		{[]string{"get", "-o", "xml"}, `--output=xml: "xml" is not one of wide, yaml, json, name`},
		{[]string{"get", "--request-timeout=abc"}, "--request-timeout=abc: it is no length of time; e.g. 30s or 5m"},
		{[]string{"create", "a", "b"}, "one Valkey at a time, not 2; see `valkeyctl create --help`"},
		{[]string{"create", "--pass=x", "--pass-prompt"}, "--pass and --pass-prompt exclude each other; see `valkeyctl create --help`"},
		{[]string{"diff"}, "-f is missing: which manifests?; e.g. `valkeyctl diff -f app.yaml`, or -f - for standard input"},
		{[]string{"apply", "app.yaml"}, `"app.yaml": a file is named with -f; e.g. ` + "`valkeyctl apply -f app.yaml`"},
		{[]string{"version", "x"}, `version takes no name, and got "x"; see ` + "`valkeyctl version --help`"},
		{[]string{"destroy"}, `unknown command "destroy" for "valkeyctl"; see ` + "`valkeyctl --help`"},
		{[]string{"valkey", "destroy"}, "see `valkeyctl valkey --help`"},
		{[]string{"completion", "tcsh"}, `there is no completion for "tcsh"; there is one for bash, fish, powershell, zsh`},
	} {
		valkeyctl(t, noKubeconfig, c.args...).expect(t, exitUsage, c.want)
	}
	valkeyctl(t, noKubeconfig, "completion").expect(t, exitOK, "bash")
	valkeyctl(t, noKubeconfig, "completion", "bash").expect(t, exitOK, "complete")
}
