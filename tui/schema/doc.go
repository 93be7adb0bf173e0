// Package schema knows what the API takes: the fields of a Valkey's spec with their descriptions, defaults and bounds, and the
// check of a spec against them, all from the OpenAPI schema that the server has. No rule is written down here a second time. It is
// pure: whoever has the schema gives it.
package schema
