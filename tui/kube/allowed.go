package kube

// Allowed says in words what the pattern of a field takes, as the server's refusals are told; empty where there are no words for it.
func Allowed(path string) string { return allowed[path] }
