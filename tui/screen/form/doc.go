// Package form is the form for a new Valkey and for the change of one. Its fields, what is said of them and what they take come from the
// server's schema. It owns what is typed, checks it before it is sent, and shows what is refused beside the field it is about. Nothing
// typed is lost, and no error keeps anybody in a field or in the form. It makes no API call.
package form
