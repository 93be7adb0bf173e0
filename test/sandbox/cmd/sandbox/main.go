// Command sandbox builds and runs a real Kubernetes from Go modules, with up to three nodes, for tests and for a look at
// the product. It owns the flags and the words; what is done lies in the packages beside it.
package main

import "os"

func main() { os.Exit(run()) }
