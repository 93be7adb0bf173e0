// Package failover is the dialog that asks which node of a Valkey shall become its primary, and then shows how that goes; of
// several Valkeys each gets the node that the operator thinks best. It owns what is chosen and the objects it was opened for, held
// by UID and resourceVersion. It makes no API call.
package failover
