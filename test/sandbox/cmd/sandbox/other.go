//go:build !linux

package main

import (
	"fmt"
	"os"
)

func run() int {
	fmt.Fprintln(os.Stderr, "error: the sandbox needs Linux, and root: elsewhere use a cluster of your own, such as minikube's")
	return 1
}
