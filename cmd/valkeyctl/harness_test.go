package main

import (
	"bytes"
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/cli-runtime/pkg/genericiooptions"
)

var update = flag.Bool("update", false, "write the golden files anew")

// result is what one run of the program gave.
type result struct {
	code     int
	out, err string
}

// valkeyctl runs the program on a kubeconfig, with nothing on standard input and no terminal.
func valkeyctl(t testing.TB, kubeconfig string, args ...string) result {
	t.Helper()
	return valkeyctlWith(t, kubeconfig, "", args...)
}

func valkeyctlWith(t testing.TB, kubeconfig, stdin string, args ...string) result {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var out, errOut bytes.Buffer
	streams := genericiooptions.IOStreams{In: strings.NewReader(stdin), Out: &out, ErrOut: &errOut}
	code := run(ctx, streams, "valkeyctl", append([]string{"--kubeconfig", kubeconfig}, args...))
	return result{code: code, out: out.String(), err: errOut.String()}
}

// expect fails unless the run ended with the code, with all of the words on the stream that belongs to the code.
func (r result) expect(t testing.TB, code int, words ...string) {
	t.Helper()
	if r.code != code {
		t.Errorf("exit code %d, want %d\nout: %s\nerr: %s", r.code, code, r.out, r.err)
	}
	text := r.out
	if code != exitOK {
		text = r.err
		if n := strings.Count(r.err, "\n"); n != 1 {
			t.Errorf("%d lines on standard error, want one:\n%s", n, r.err)
		}
		if !strings.HasPrefix(r.err, "valkeyctl: ") {
			t.Errorf("the error does not begin with the program's name: %s", r.err)
		}
	}
	for _, word := range words {
		if !strings.Contains(text, word) {
			t.Errorf("%q is missing in:\n%s", word, text)
		}
	}
}

// golden compares got with a file of testdata.
func golden(t testing.TB, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.MkdirAll("testdata", 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s: -want +got\n%s", path, diff)
	}
}
