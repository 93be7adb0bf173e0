// Package detail is the screen of one Valkey: what is wanted of it, what the cluster has of it and what its servers say, on
// tabs. It owns which tab is shown and where each is scrolled to. It makes no API call: what it shows comes as messages, and it
// tells the root what the servers shall be asked for beside what every tab needs.
package detail
