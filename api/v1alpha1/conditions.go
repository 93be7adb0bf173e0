package v1alpha1

// Condition types of a Valkey.
const (
	// ConditionReady is True while every wanted server serves (or none is wanted and none is left).
	ConditionReady = "Ready"
	// ConditionProgressing is True while the operator is on its way to what is wanted.
	ConditionProgressing = "Progressing"
	// ConditionDegraded is True while something is wrong, though part of it may serve.
	ConditionDegraded = "Degraded"
)

// Reasons of the conditions.
const (
	ReasonReady       = "Ready"
	ReasonStopped     = "Stopped"
	ReasonDeleting    = "Deleting"
	ReasonReconciling = "Reconciling"
	ReasonAsWanted    = "AsWanted"
	ReasonStarting    = "NodesStarting"
	ReasonStopping    = "NodesStopping"
	ReasonSyncing     = "ReplicasSyncing"
	ReasonNoPrimary   = "NoPrimary"

	ReasonConflict        = "ForeignObject"
	ReasonPassword        = "PasswordUnusable"
	ReasonImagePull       = "ImagePull"
	ReasonCrash           = "CrashLoop"
	ReasonOOM             = "OutOfMemory"
	ReasonUnschedulable   = "Unschedulable"
	ReasonClaimPending    = "ClaimPending"
	ReasonClaimResize     = "ClaimCannotGrow"
	ReasonPodRefused      = "PodRefused"
	ReasonNodeUnreachable = "NodeUnreachable"
	ReasonHandoverBlocked = "HandoverBlocked"
	ReasonAmbiguousData   = "AmbiguousData"
	ReasonAPIError        = "APIError"
)
