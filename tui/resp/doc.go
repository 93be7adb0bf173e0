// Package resp is what a console needs of the protocol of Valkey (https://valkey.io/topics/protocol/): it splits a typed line into words, reads
// typed replies within bounds, prints them as valkey-cli does, and knows of each command what the server tells of it. It opens no
// connection.
package resp
