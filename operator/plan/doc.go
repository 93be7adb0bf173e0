// Package plan decides what to do next for one Valkey: which server gets which role, and which node may be started,
// stopped, rolled or removed. It is pure: it takes what is wanted and what was observed, and returns actions with their
// reasons. The same input gives the same plan, any step may be repeated, and the operator may die between any two.
package plan
