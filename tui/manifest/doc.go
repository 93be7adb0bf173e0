// Package manifest owns the text of a Valkey: what a person sees and edits of the object, how it is read back, and how two of them
// differ. A password stands in no such text, and none that was hidden can become the password. It is pure.
package manifest
