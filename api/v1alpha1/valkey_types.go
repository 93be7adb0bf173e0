package v1alpha1

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// The rules on the password are rules of the spec and not of the field: a refusal quotes the value of the field that
// its rule stands at, and the password must be in no error.

// ValkeySpec is the wished state of a Valkey.
//
// +kubebuilder:validation:XValidation:rule="!has(self.password) || !self.password.contains('\\n') && !self.password.contains('\\x00')",message="a password may hold no newline and no NUL character",fieldPath=".password"
// +kubebuilder:validation:XValidation:rule="!has(self.password) || size(bytes(self.password)) <= 512",message="a password may be at most 512 bytes long",fieldPath=".password"
// +kubebuilder:validation:XValidation:rule="has(self.password) != has(self.passwordSecretRef)",message="set exactly one of spec.password and spec.passwordSecretRef",reason=FieldValueInvalid
// +kubebuilder:validation:XValidation:rule="!self.volume.enabled || has(self.volume.storage) || has(self.resource.storage)",message="a volume needs a size: set spec.volume.storage (or spec.resource.storage), e.g. 1Gi",fieldPath=".volume.storage",reason=FieldValueRequired
// +kubebuilder:validation:XValidation:rule="!self.volume.enabled || !oldSelf.volume.enabled || [has(self.volume.storage) ? self.volume.storage : has(self.resource.storage) ? self.resource.storage : '-'].all(size, !isQuantity(size) || quantity(size).compareTo(quantity(has(oldSelf.volume.storage) ? oldSelf.volume.storage : has(oldSelf.resource.storage) ? oldSelf.resource.storage : '0')) >= 0)",message="a volume can grow but not shrink: keep the size or raise it; to shrink, create a new Valkey and copy the data",fieldPath=".volume.storage"
type ValkeySpec struct {
	// Image is the container image of the server, e.g. valkey/valkey:9.1. Any image with the layout of the official
	// one works: valkey-server and valkey-cli on the path, a shell, flock.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=512
	// +kubebuilder:validation:Pattern=`^\S+$`
	Image string `json:"image"`

	// ImagePullPolicy says when the image is pulled; IfNotPresent unless set, also for :latest.
	// +kubebuilder:validation:Enum=Always;IfNotPresent;Never
	// +kubebuilder:default=IfNotPresent
	// +optional
	ImagePullPolicy corev1.PullPolicy `json:"imagePullPolicy,omitempty"`

	// Replicas is the number of servers in all: 0 is stopped (data kept), 1 is standalone, n is one primary and n-1
	// replicas of it.
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=5
	// +kubebuilder:default=1
	// +optional
	Replicas *int32 `json:"replicas,omitempty"`

	// User is the name of the admin user. "default" is allowed; the names that the operator uses itself are not.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=64
	// +kubebuilder:validation:Pattern=`^[A-Za-z0-9_.-]+$`
	// +kubebuilder:validation:XValidation:rule="!(self in ['kuberly-operator', 'kuberly-replication', 'kuberly-probe', 'kuberly-observer'])",message="this user name is used by the operator itself: choose another"
	User string `json:"user"`

	// Password is the admin user's password, taken byte for byte. Anyone who may read the object can read it: prefer
	// passwordSecretRef.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=512
	// +optional
	Password *string `json:"password,omitempty"`

	// PasswordSecretRef names a key of a Secret in the same namespace that holds the admin user's password.
	// +optional
	PasswordSecretRef *SecretKeyRef `json:"passwordSecretRef,omitempty"`

	// Volume says whether and how the data is kept.
	Volume VolumeSpec `json:"volume"`

	// Resource holds what each server may use.
	Resource ResourceSpec `json:"resource"`

	// Config takes valkey.conf directives, e.g. maxmemory-policy: allkeys-lru. What the operator owns (port, dir,
	// aclfile, replicaof, ...) is refused by name.
	// +kubebuilder:validation:MaxProperties=128
	// +kubebuilder:validation:XValidation:rule="self.all(k, size(k) <= 64 && k.matches('^[a-z][a-z0-9-]*$'))",message="the name of a directive is lower case letters, digits and dashes, at most 64"
	// +kubebuilder:validation:XValidation:rule="['port','bind','bind-source-addr','protected-mode','unixsocket','unixsocketperm','unixsocketgroup'].all(k, !(k in self))",messageExpression="'the operator owns the directive ' + ['port','bind','bind-source-addr','protected-mode','unixsocket','unixsocketperm','unixsocketgroup'].filter(k, k in self)[0] + ': remove it from spec.config; where a server listens is fixed'"
	// +kubebuilder:validation:XValidation:rule="['user','aclfile','acl-pubsub-default','requirepass','masterauth','primaryauth','masteruser','primaryuser'].all(k, !(k in self))",messageExpression="'the operator owns the directive ' + ['user','aclfile','acl-pubsub-default','requirepass','masterauth','primaryauth','masteruser','primaryuser'].filter(k, k in self)[0] + ': remove it from spec.config; users and passwords come from spec.user and spec.password or spec.passwordSecretRef'"
	// +kubebuilder:validation:XValidation:rule="['replicaof','slaveof','replica-read-only','slave-read-only','replica-announced','replica-announce-ip','replica-announce-port','slave-announce-ip','slave-announce-port','repl-ping-replica-period','repl-ping-slave-period','min-replicas-to-write','min-replicas-max-lag','min-slaves-to-write','min-slaves-max-lag'].all(k, !(k in self))",messageExpression="'the operator owns the directive ' + ['replicaof','slaveof','replica-read-only','slave-read-only','replica-announced','replica-announce-ip','replica-announce-port','slave-announce-ip','slave-announce-port','repl-ping-replica-period','repl-ping-slave-period','min-replicas-to-write','min-replicas-max-lag','min-slaves-to-write','min-slaves-max-lag'].filter(k, k in self)[0] + ': remove it from spec.config; replication follows from spec.replicas'"
	// +kubebuilder:validation:XValidation:rule="['dir','dbfilename','appendfilename','appenddirname','daemonize','pidfile','supervised','logfile','syslog-enabled','shutdown-on-sigterm','shutdown-timeout'].all(k, !(k in self))",messageExpression="'the operator owns the directive ' + ['dir','dbfilename','appendfilename','appenddirname','daemonize','pidfile','supervised','logfile','syslog-enabled','shutdown-on-sigterm','shutdown-timeout'].filter(k, k in self)[0] + ': remove it from spec.config; how a server starts, ends and where it writes is fixed'"
	// +kubebuilder:validation:XValidation:rule="['include','loadmodule','rename-command','enable-protected-configs','enable-module-command','enable-debug-command'].all(k, !(k in self))",messageExpression="'the operator owns the directive ' + ['include','loadmodule','rename-command','enable-protected-configs','enable-module-command','enable-debug-command'].filter(k, k in self)[0] + ': remove it from spec.config; it would let a client past what the operator sets'"
	// +kubebuilder:validation:XValidation:rule="self.all(k, !k.startsWith('cluster-') && !k.startsWith('tls-') && !k.startsWith('rdma-'))",message="directives that start with cluster-, tls- or rdma- are refused: cluster mode, TLS and RDMA are not supported"
	// +optional
	Config map[string]ConfigValue `json:"config,omitempty"`

	// NodeSelector restricts the hosts that the servers may run on.
	// +optional
	NodeSelector map[string]string `json:"nodeSelector,omitempty"`

	// Tolerations of the servers' pods.
	// +kubebuilder:validation:MaxItems=64
	// +listType=atomic
	// +optional
	Tolerations []corev1.Toleration `json:"tolerations,omitempty"`

	// Affinity of the servers' pods. Unless set, the servers of one Valkey prefer different hosts.
	// +optional
	Affinity *corev1.Affinity `json:"affinity,omitempty"`

	// TopologySpreadConstraints of the servers' pods.
	// +kubebuilder:validation:MaxItems=16
	// +listType=atomic
	// +optional
	TopologySpreadConstraints []corev1.TopologySpreadConstraint `json:"topologySpreadConstraints,omitempty"`

	// PriorityClassName of the servers' pods.
	// +kubebuilder:validation:MaxLength=253
	// +optional
	PriorityClassName string `json:"priorityClassName,omitempty"`
}

// ConfigValue is the value of one valkey.conf directive: the text that would follow its name in the file.
//
// +kubebuilder:validation:MaxLength=1024
// +kubebuilder:validation:Pattern=`^[^\n\r\x00]*$`
type ConfigValue string

// SecretKeyRef names one key of a Secret in the namespace of the Valkey.
type SecretKeyRef struct {
	// Name of the Secret.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	Name string `json:"name"`
	// Key in the Secret's data.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	// +kubebuilder:default=password
	// +optional
	Key string `json:"key,omitempty"`
}

// ReclaimPolicy says what becomes of a server's claim when the server is removed.
//
// +kubebuilder:validation:Enum=Delete;Retain
type ReclaimPolicy string

const (
	// ReclaimDelete deletes the claim with the server or the Valkey that it belongs to.
	ReclaimDelete ReclaimPolicy = "Delete"
	// ReclaimRetain keeps the claim; a new Valkey of the same name takes it back.
	ReclaimRetain ReclaimPolicy = "Retain"
)

// VolumeSpec says whether and how the data of each server is kept.
//
// +kubebuilder:validation:XValidation:rule="self.enabled == oldSelf.enabled",message="volume.enabled cannot be switched while the object exists: create a second Valkey with the other setting, copy the data (valkey-cli --rdb, or REPLICAOF), then delete this one",fieldPath=".enabled"
// +kubebuilder:validation:XValidation:rule="has(self.storageClassName) == has(oldSelf.storageClassName) && (!has(self.storageClassName) || self.storageClassName == oldSelf.storageClassName)",message="volume.storageClassName cannot change: create a second Valkey with the other class and copy the data",fieldPath=".storageClassName"
type VolumeSpec struct {
	// Enabled keeps the data of each server on a claim of its own.
	Enabled bool `json:"enabled"`

	// Storage is the size of each claim, e.g. 1Gi; resource.storage unless set. It can grow, never shrink.
	// +kubebuilder:validation:MaxLength=16
	// +kubebuilder:validation:Pattern=`^[0-9]+[MGT]i$`
	// +kubebuilder:validation:XValidation:rule="!isQuantity(self) || quantity(self).isGreaterThan(quantity('0'))",message="a size must be above zero"
	// +optional
	Storage string `json:"storage,omitempty"`

	// StorageClassName of the claims; the cluster's default class unless set. It cannot change.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	// +optional
	StorageClassName *string `json:"storageClassName,omitempty"`

	// Reclaim says what becomes of a claim when its server is removed: Delete or Retain.
	// +kubebuilder:default=Delete
	// +optional
	Reclaim ReclaimPolicy `json:"reclaim,omitempty"`
}

// ResourceSpec holds what each server may use.
type ResourceSpec struct {
	// Memory limit and request, e.g. 512Mi; at least 32Mi. maxmemory is three quarters of it unless config sets it.
	// +kubebuilder:validation:MaxLength=16
	// +kubebuilder:validation:Pattern=`^[0-9]+[KMG]i$`
	// +kubebuilder:validation:XValidation:rule="!isQuantity(self) || quantity(self).compareTo(quantity('32Mi')) >= 0",message="memory must be at least 32Mi"
	Memory string `json:"memory"`

	// CPU limit and request in cores, e.g. 200m, 1 or 2.5.
	// +kubebuilder:validation:MaxLength=16
	// +kubebuilder:validation:Pattern=`^([0-9]+m?|[0-9]+\.[0-9]{1,3})$`
	// +kubebuilder:validation:XValidation:rule="!isQuantity(self) || quantity(self).isGreaterThan(quantity('0'))",message="cpu must be above zero"
	CPU string `json:"cpu"`

	// Storage is the limit of the container's ephemeral storage, and the size of the claim where volume.storage is
	// omitted.
	// +kubebuilder:validation:MaxLength=16
	// +kubebuilder:validation:Pattern=`^[0-9]+[MGT]i$`
	// +kubebuilder:validation:XValidation:rule="!isQuantity(self) || quantity(self).isGreaterThan(quantity('0'))",message="a size must be above zero"
	// +optional
	Storage string `json:"storage,omitempty"`
}

// Phase is the status of a Valkey in one word.
//
// +kubebuilder:validation:Enum=in_progress;running;failed;stopped
type Phase string

const (
	// PhaseInProgress means that the operator is on its way to what is wanted.
	PhaseInProgress Phase = "in_progress"
	// PhaseRunning means that all the servers wanted are ready and linked.
	PhaseRunning Phase = "running"
	// PhaseFailed means that a person is needed, or that an error has lasted a minute.
	PhaseFailed Phase = "failed"
	// PhaseStopped means that no server is wanted and none is left.
	PhaseStopped Phase = "stopped"
)

// Role is the part that a node plays in the replication of one Valkey.
//
// +kubebuilder:validation:Enum=primary;replica
type Role string

const (
	// RolePrimary takes writes.
	RolePrimary Role = "primary"
	// RoleReplica follows the primary and serves reads.
	RoleReplica Role = "replica"
)

// NodeStatus is what is known of one server.
type NodeStatus struct {
	// Name of the node: the name of its Deployment.
	Name string `json:"name"`
	// Pod is the name of the pod that holds the node's data.
	// +optional
	Pod string `json:"pod,omitempty"`
	// Host is the name of the Kubernetes node that the pod runs on.
	// +optional
	Host string `json:"host,omitempty"`
	// Role is empty while the node has none.
	// +optional
	Role Role `json:"role,omitempty"`
	// Ready says whether the node serves.
	Ready bool `json:"ready"`
	// Message says in words why the node is not ready.
	// +optional
	Message string `json:"message,omitempty"`
}

// RoleChange is one change of the primary.
type RoleChange struct {
	// Time of the promotion.
	Time metav1.Time `json:"time"`
	// From is the node that was primary before; empty where there was none.
	// +optional
	From string `json:"from,omitempty"`
	// To is the node that became primary.
	To string `json:"to"`
	// Reason in words.
	// +optional
	Reason string `json:"reason,omitempty"`
}

// ValkeyStatus is the observed state of a Valkey.
type ValkeyStatus struct {
	// Status in one word: in_progress, running, failed or stopped.
	// +optional
	Status Phase `json:"status,omitempty"`
	// Error says in words what goes wrong, while it goes wrong.
	// +optional
	Error string `json:"error,omitempty"`
	// ReadyReplicas is the number of servers that serve.
	ReadyReplicas int32 `json:"ready_replicas"`
	// LastReconcileAt is when the operator last changed something.
	// +optional
	LastReconcileAt *metav1.Time `json:"last_reconcile_at,omitempty"`
	// ObservedGeneration is the generation of the spec that this status speaks of.
	// +optional
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`
	// Primary is the name of the node that is, or was last, the primary.
	// +optional
	Primary string `json:"primary,omitempty"`
	// PrimaryAddress is the IP address that the primary has, or had last.
	// +optional
	PrimaryAddress string `json:"primaryAddress,omitempty"`
	// ReplicationID is the replication ID that the primary has, or had last: a replica with another one misses some of its data.
	// +optional
	ReplicationID string `json:"replicationID,omitempty"`
	// RoleChanges are the latest changes of the primary, the newest first, at most ten.
	// +listType=atomic
	// +optional
	RoleChanges []RoleChange `json:"roleChanges,omitempty"`
	// Version of the primary's server, e.g. 9.1.2.
	// +optional
	Version string `json:"version,omitempty"`
	// Selector of the pods, for the scale subresource.
	// +optional
	Selector string `json:"selector,omitempty"`
	// Nodes is what is known of each server, in the order of their index.
	// +listType=map
	// +listMapKey=name
	// +optional
	Nodes []NodeStatus `json:"nodes,omitempty"`
	// Conditions: Ready, Progressing, Degraded.
	// +listType=map
	// +listMapKey=type
	// +optional
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// Valkey is one set of Valkey servers: a primary and its replicas, or one server alone.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:subresource:scale:specpath=.spec.replicas,statuspath=.status.ready_replicas,selectorpath=.status.selector
// +kubebuilder:resource:shortName=vk,categories=all
// +kubebuilder:printcolumn:name="Image",type=string,JSONPath=`.spec.image`
// +kubebuilder:printcolumn:name="CPU",type=string,JSONPath=`.spec.resource.cpu`
// +kubebuilder:printcolumn:name="Memory",type=string,JSONPath=`.spec.resource.memory`
// +kubebuilder:printcolumn:name="Status",type=string,JSONPath=`.status.status`
// +kubebuilder:printcolumn:name="Error",type=string,JSONPath=`.status.error`
// +kubebuilder:printcolumn:name="Has volume",type=boolean,JSONPath=`.spec.volume.enabled`
// +kubebuilder:printcolumn:name="Volume size",type=string,JSONPath=`.spec.volume.storage`
// +kubebuilder:printcolumn:name="Replicas",type=integer,JSONPath=`.spec.replicas`
// +kubebuilder:printcolumn:name="Ready replicas",type=integer,JSONPath=`.status.ready_replicas`
// +kubebuilder:printcolumn:name="Last reconcile",type=date,JSONPath=`.status.last_reconcile_at`
// +kubebuilder:printcolumn:name="Primary",type=string,JSONPath=`.status.primary`,priority=1
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`,priority=1
// +kubebuilder:validation:XValidation:rule="size(self.metadata.name) <= 50",message="the name may be at most 50 characters long: the names of its pods and Services are made of it"
// +kubebuilder:validation:XValidation:rule="self.metadata.name.matches('^[a-z]([-a-z0-9]*[a-z0-9])?$')",message="the name must be lower case letters, digits and dashes, start with a letter and end with a letter or digit: it becomes the name of a Service"
// +kubebuilder:validation:XValidation:rule="!self.metadata.name.matches('-(replicas|nodes|internal|observer|node-[0-9]+)$')",message="the name may not end in -replicas, -nodes, -internal, -observer or -node-N: names of its children end so"
// +kubebuilder:validation:XValidation:rule="!has(self.spec.passwordSecretRef) || !(self.spec.passwordSecretRef.name in [self.metadata.name, self.metadata.name + '-internal', self.metadata.name + '-observer'])",message="passwordSecretRef may not name a Secret that the operator makes: keep the password in a Secret of another name",fieldPath=".spec.passwordSecretRef.name"
type Valkey struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// Spec is the wished state.
	Spec ValkeySpec `json:"spec"`
	// Status is the observed state.
	// +optional
	Status ValkeyStatus `json:"status,omitempty"`
}

// ValkeyList is a list of Valkeys.
//
// +kubebuilder:object:root=true
type ValkeyList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Valkey `json:"items"`
}
