// Package settings reads the dashboard's configuration file, and writes one with everything that can be set. It refuses what it does not
// understand, with the line it stands in and what to write there. It applies nothing itself.
package settings
