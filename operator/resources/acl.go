package resources

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"kuberly.io/valkey-operator/api/v1alpha1"
)

// User is one user of a server with the rules of its access control list, complete: applied to a user that was
// reset before. See https://valkey.io/topics/acl/.
type User struct {
	Name  string
	Rules []string
}

// What each of the operator's own users may do. None of them but the replication user can read a key.
const (
	// +replconf is to urge a replica during a handover, see operator/valkey.
	operatorRights = "-@all +ping +info +role +replicaof +slaveof +replconf +failover +config +acl +client +dbsize +save +bgsave" +
		" +bgrewriteaof +lastsave +shutdown +wait +waitaof"
	// The primary sends FAILOVER's PSYNC with the replica's rights, hence +failover; +sync is PSYNC's older form.
	replicationRights = "-@all +ping +psync +sync +replconf +failover"
	probeRights       = "-@all +ping +role +info"
	// No CONFIG GET: it would show the replication password, with which the whole dataset can be read.
	observerRights = "-@all +ping +role +info +dbsize +lastsave +slowlog|get +slowlog|len +client|list +client|info" +
		" +client|id +memory|stats +latency|latest +latency|history +command|docs +command|count"
)

// Users are all the users that each server of v has, the built-in default user first.
func Users(v *v1alpha1.Valkey, c Credentials) []User {
	users := []User{
		user(v.Spec.User, c.Admin, "~* &* +@all"),
		user(v1alpha1.UserOperator, c.Operator, operatorRights),
		user(v1alpha1.UserReplication, c.Replication, replicationRights),
		user(v1alpha1.UserProbe, c.Probe, probeRights),
		user(v1alpha1.UserObserver, c.Observer, observerRights),
	}
	if v.Spec.User == "default" {
		return users
	}
	// Without this line a server lets everybody in as the default user.
	return append([]User{{Name: "default", Rules: []string{"off", "resetpass", "resetkeys", "resetchannels", "-@all"}}}, users...)
}

// ACLFile is the text of the file that a server reads its users from when it starts. It holds hashes, no password.
func ACLFile(users []User) string {
	var b strings.Builder
	for _, u := range users {
		b.WriteString("user " + u.Name + " " + strings.Join(u.Rules, " ") + "\n")
	}
	return b.String()
}

func user(name, password, rights string) User {
	sum := sha256.Sum256([]byte(password))
	rules := []string{"on", "resetpass", "#" + hex.EncodeToString(sum[:]), "resetkeys", "resetchannels"}
	return User{Name: name, Rules: append(rules, strings.Fields(rights)...)}
}
