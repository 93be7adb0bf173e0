// Package server looks at the servers of one Valkey: what each says of itself, as the user that may only look, over one
// held connection per server through the API server. It asks only commands whose answers are bounded, never one that walks
// over the keys or that slows the server down, and never for a setting that may hold a password. Whatever a server says is
// cleaned here.
package server
