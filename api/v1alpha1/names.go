package v1alpha1

import "strconv"

// Labels and annotations that the operator sets.
const (
	// ManagedBy is the value of LabelManagedBy on every object that the operator makes.
	ManagedBy = "valkey-operator"
	// AppName is the value of LabelName on every object that the operator makes.
	AppName = "valkey"

	LabelName      = "app.kubernetes.io/name"
	LabelInstance  = "app.kubernetes.io/instance"
	LabelManagedBy = "app.kubernetes.io/managed-by"
	// LabelNode holds a node's index in decimal, on its Deployment, claim and pods.
	LabelNode = Group + "/node"
	// LabelRole holds the Role of a pod. It is on pods alone and changes while they live.
	LabelRole = Group + "/role"

	// AnnotationFailover on a Valkey asks for a handover: to the node that it names, or to the best one where it is
	// FailoverAny. The operator removes it when that has happened.
	AnnotationFailover = Group + "/failover"
	// FailoverAny lets the operator choose.
	FailoverAny = "any"
	// AnnotationRestartedAt on a Valkey, with any new value, rolls its nodes without a change of the spec.
	AnnotationRestartedAt = Group + "/restarted-at"
	// AnnotationStoppedReplicas on a Valkey holds how many servers it had when it was stopped, for the one who starts it
	// again. The operator does not read it.
	AnnotationStoppedReplicas = Group + "/stopped-replicas"
	// AnnotationRetained on a claim holds the name of the Valkey that let go of it. A new Valkey of that name takes
	// it back.
	AnnotationRetained = Group + "/retained-from"
	// AnnotationWasPrimary on a retained claim says that its node was the primary: a new Valkey starts from it.
	AnnotationWasPrimary = Group + "/was-primary"
	// AnnotationOwner on a claim holds the UID of the Valkey that uses it. A claim that is to be retained has no owner
	// reference, so this tells it from a foreign one.
	AnnotationOwner = Group + "/valkey-uid"
	// Finalizer holds a Valkey until its children are gone.
	Finalizer = Group + "/valkey"
)

// Names of the users that the operator makes in every server, beside the admin user of the spec.
const (
	// UserOperator is the operator's own: it may do what replication and configuration need.
	UserOperator = "kuberly-operator"
	// UserReplication is what a replica logs in with at its primary.
	UserReplication = "kuberly-replication"
	// UserProbe is the kubelet's: PING, ROLE and INFO.
	UserProbe = "kuberly-probe"
	// UserObserver may only look: for dashboards and exporters.
	UserObserver = "kuberly-observer"
)

// DefaultImage is the image that the dashboard and the verbs give a new Valkey. It is pinned: a server must not change its
// version because its pod moved to another host.
const DefaultImage = "valkey/valkey:9.1"

// Port is the TCP port of every server and Service.
const Port = 6379

// Keys of the data of the Secret x.
const (
	SecretKeyUser     = "user"
	SecretKeyPassword = "password"
	SecretKeyHost     = "host"
	SecretKeyPort     = "port"
	SecretKeyURI      = "uri"
)

// ContainerName is the name of the server's container in its pod.
const ContainerName = "valkey"

// SecretName is the Secret with the admin user's credentials; SecretName, ServiceName and ConfigMapName are the
// object's own name.
func (v *Valkey) SecretName() string { return v.Name }

// InternalSecretName is the Secret of the operator's own passwords and the ACL file.
func (v *Valkey) InternalSecretName() string { return v.Name + "-internal" }

// ObserverSecretName is the Secret with the credentials of UserObserver, keys as in SecretName.
func (v *Valkey) ObserverSecretName() string { return v.Name + "-observer" }

// ConfigMapName is the ConfigMap with valkey.conf.
func (v *Valkey) ConfigMapName() string { return v.Name }

// ServiceName is the Service that always leads to the primary.
func (v *Valkey) ServiceName() string { return v.Name }

// ReplicasServiceName is the Service of the ready replicas.
func (v *Valkey) ReplicasServiceName() string { return v.Name + "-replicas" }

// NodesServiceName is the headless Service of all nodes, ready or not.
func (v *Valkey) NodesServiceName() string { return v.Name + "-nodes" }

// NodeName is the name of node i: of its Deployment and its claim.
func (v *Valkey) NodeName(i int) string { return v.Name + "-node-" + strconv.Itoa(i) }

// WantedReplicas is spec.replicas, or 1 where it is not set.
func (v *Valkey) WantedReplicas() int {
	if v.Spec.Replicas == nil {
		return 1
	}
	return int(*v.Spec.Replicas)
}

// VolumeSize is the size of each claim as a quantity, e.g. 1Gi; empty where there is no volume.
func (v *Valkey) VolumeSize() string {
	switch {
	case !v.Spec.Volume.Enabled:
		return ""
	case v.Spec.Volume.Storage != "":
		return v.Spec.Volume.Storage
	default:
		return v.Spec.Resource.Storage
	}
}

// PodLabels select every pod of the Valkey.
func (v *Valkey) PodLabels() map[string]string {
	return map[string]string{LabelName: AppName, LabelInstance: v.Name, LabelManagedBy: ManagedBy}
}
