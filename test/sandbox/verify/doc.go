// Package verify holds the tests that bring a real sandbox up and show that what the product relies on works in it:
// claims, services, names, logs, port-forwards, restarts, lost nodes. They need root and the tag e2e. It has no other code.
package verify
