package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"kuberly.io/valkey-operator/tui/kube"
)

// passwordOptions say where the password of a new Valkey comes from.
type passwordOptions struct {
	literal string // --pass: goes into the object, as in the original
	file    string // --pass-file
	prompt  bool   // --pass-prompt
}

// maxPasswordFile is more than any password; a file that is longer is another file than was meant.
const maxPasswordFile = 4096

// secret is the password that goes into a Secret; generated says that nobody knows it yet.
func (p *program) secret(o passwordOptions) (password string, generated bool, err error) {
	switch {
	case o.file != "":
		password, err = p.readPassword(o.file)
	case o.prompt:
		password, err = p.promptPassword()
	default:
		return kube.GeneratePassword(), true, nil
	}
	if err != nil {
		return "", false, err
	}
	return password, false, kube.CheckPassword(password)
}

// readPassword reads a file, or standard input for "-". One line break at the end is the editor's, not the password's.
func (p *program) readPassword(path string) (string, error) {
	source := p.In
	if path != "-" {
		file, err := os.Open(path) //nolint:gosec // The user names it.
		if err != nil {
			return "", kube.Usage("--pass-file: "+err.Error(), "")
		}
		defer file.Close() //nolint:errcheck // It was only read from.
		source = file
	}
	data, err := io.ReadAll(io.LimitReader(source, maxPasswordFile+1))
	if err != nil {
		return "", kube.Usage("--pass-file: "+err.Error(), "")
	}
	if len(data) > maxPasswordFile {
		return "", kube.Usage("--pass-file: the file is too long to be a password", "")
	}
	return strings.TrimSuffix(strings.TrimSuffix(string(data), "\n"), "\r"), nil
}

// promptPassword asks on the terminal, twice, without showing what is typed.
func (p *program) promptPassword() (string, error) {
	file, ok := p.In.(*os.File)
	if !ok || !isTerminal(file) {
		return "", kube.Usage("--pass-prompt needs a terminal", "use --pass-file=- to read the password from standard input")
	}
	ask := func(question string) (string, error) {
		_, _ = fmt.Fprint(p.ErrOut, question)
		data, err := term.ReadPassword(int(file.Fd()))
		_, _ = fmt.Fprintln(p.ErrOut)
		if err != nil {
			return "", kube.Usage("--pass-prompt: "+err.Error(), "")
		}
		return string(data), nil
	}
	password, err := ask("Password: ")
	if err != nil {
		return "", err
	}
	again, err := ask("Again: ")
	if err != nil {
		return "", err
	}
	if password != again {
		return "", kube.Usage("the passwords differ", "")
	}
	return password, nil
}
