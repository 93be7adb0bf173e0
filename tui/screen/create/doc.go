// Package create is the form for a new Valkey. It owns what is typed, checks it by the API's own rules before it is sent, and shows
// what the server refuses beside the field it is about. Nothing typed is lost, and no error keeps anybody in a field or in the form.
// It makes no API call.
package create
