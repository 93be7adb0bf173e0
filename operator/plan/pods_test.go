package plan

import (
	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/operator/valkey/info"
)

const history, older = "aaaa", "bbbb"

// primary is a pod whose server is a primary that lists the replicas given.
func primary(node int, replicas ...Pod) Pod {
	p := pod(node)
	p.Role = v1alpha1.RolePrimary
	p.Server = &info.Server{Role: v1alpha1.RolePrimary, ReplicationID: history, Keys: 10, Offset: 100, FailoverState: "no-failover"}
	for _, r := range replicas {
		p.Server.Replicas = append(p.Server.Replicas, info.Replica{Host: r.IP, Port: v1alpha1.Port, Online: true})
	}
	return p
}

// replica is a pod whose server follows node 0 and has had its copy.
func replica(node int, offset int64) Pod {
	p := pod(node)
	p.Role, p.Synced = v1alpha1.RoleReplica, true
	p.Server = &info.Server{
		Role: v1alpha1.RoleReplica, PrimaryHost: pod(0).IP, PrimaryPort: v1alpha1.Port, LinkUp: true, LastIO: 0, LinkDownFor: -1,
		ReplicationID: history, Keys: 10, Offset: offset,
	}
	return p
}

func cutOff(p Pod) Pod {
	s := *p.Server
	s.LinkUp, s.LastIO, s.LinkDownFor = false, -1, 1
	p.Server = &s
	return p
}

// downFor is a replica that lost its link so many seconds ago.
func downFor(p Pod, seconds int64) Pod {
	p = cutOff(p)
	p.Server.LinkDownFor = seconds
	return p
}

// started is a pod whose server has been given no role since it started.
func started(node int, keys int64) Pod {
	p := pod(node)
	p.Server = &info.Server{Role: v1alpha1.RoleReplica, PrimaryHost: "127.0.0.1", PrimaryPort: 1, ReplicationID: older, LastIO: -1, LinkDownFor: -1, Keys: keys}
	return p
}

// dead is a pod that does not answer.
func dead(node int) Pod {
	p := pod(node)
	p.Role, p.Ready = v1alpha1.RolePrimary, false
	return p
}

// gone is one whose server is known to be dead.
func gone(p Pod) Pod { p.Gone = true; return p }

func pod(node int) Pod {
	name := string("abcde"[node])
	return Pod{UID: name, Name: "x-node-" + name, IP: "10.0.0." + name, Node: node, Ready: true}
}

func with(p Pod, change func(*Pod)) Pod { change(&p); return p }
