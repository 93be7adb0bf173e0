package resources

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kuberly.io/valkey-operator/api/v1alpha1"
)

// Keys of the data of the ConfigMap x.
const (
	KeyConf = "valkey.conf"
	// KeyBoot holds a Boot: a container reads it each time it starts.
	KeyBoot = "boot"
)

// Boot says how a server starts.
type Boot string

const (
	// BootPrimary starts a server that takes writes at once: a standalone needs no operator for its restart.
	BootPrimary Boot = "primary"
	// BootReplica starts a server as nobody's replica: it serves no write and spreads nothing until the operator gives
	// it a role. So an empty restarted primary never replicates its emptiness.
	BootReplica Boot = "replica"
)

// BootOf is how the servers of v must start while v wants n of them.
func BootOf(n int) Boot {
	if n > 1 {
		return BootReplica
	}
	return BootPrimary
}

// ConfigMap is the ConfigMap x: the configuration that every server of v has in common, and how a server starts.
func ConfigMap(v *v1alpha1.Valkey, boot Boot) *corev1.ConfigMap {
	return &corev1.ConfigMap{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "ConfigMap"},
		ObjectMeta: meta(v, v.ConfigMapName()),
		Data:       map[string]string{KeyConf: Conf(v), KeyBoot: string(boot)},
	}
}

// Conf is the text of valkey.conf, see https://valkey.io/topics/valkey.conf/. What the user wrote stands in place of the
// default: lines of save would add up. What the operator owns is refused at admission.
func Conf(v *v1alpha1.Valkey) string {
	lines := []string{
		"# Written by the operator. Change spec.config instead.",
		fmt.Sprintf("port %d", v1alpha1.Port),
		"bind * -::*",
		"protected-mode no",
		"dir " + dataDir,
		"aclfile " + secretDir + "/" + KeyACL,
		"include " + secretDir + "/" + KeyReplicationConf,
		// With a ping each second a replica that has heard nothing for two knows that its primary is gone.
		"repl-ping-replica-period 1",
		"min-replicas-max-lag 3",
		// The default of 5 s waits for other replicas that may want the same copy; they come at the same time here.
		"repl-diskless-sync-delay 1",
	}
	if v.Spec.Volume.Enabled {
		lines = append(lines, "appendonly yes", "appendfsync everysec", "save 900 1 300 10 60 10000")
	} else {
		// The copy that a replica once got is not to come back as its data when it starts again as a primary.
		lines = append(lines, "appendonly no", `save ""`, "rdb-del-sync-files yes")
	}
	lines = append(lines, fmt.Sprintf("maxmemory %d", Maxmemory(v)))
	lines = slices.DeleteFunc(lines, func(line string) bool {
		key, _, _ := strings.Cut(line, " ")
		_, set := v.Spec.Config[key]
		return set
	})
	for _, key := range sortedKeys(v.Spec.Config) {
		value := string(v.Spec.Config[key])
		if strings.TrimSpace(value) == "" {
			value = `""` // a directive without an argument is an error
		}
		lines = append(lines, key+" "+value)
	}
	return strings.Join(lines, "\n") + "\n"
}

// Maxmemory is three quarters of the memory limit in bytes: the rest is for the copies that a save or a full sync
// makes, the replication backlog and the clients' buffers.
func Maxmemory(v *v1alpha1.Valkey) int64 {
	limit, err := resource.ParseQuantity(v.Spec.Resource.Memory)
	if err != nil {
		return 0 // unlimited; such a spec does not pass admission
	}
	return limit.Value() / 4 * 3
}

func confHash(v *v1alpha1.Valkey) string {
	sum := sha256.Sum256([]byte(Conf(v)))
	return hex.EncodeToString(sum[:8])
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}
