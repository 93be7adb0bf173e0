// Package forwards is the screen of the ports of this machine that lead to servers: which there are, how they fare, and the question for the port of
// a new one. It opens and closes none itself.
package forwards
