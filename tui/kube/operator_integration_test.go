//go:build integration

package kube_test

import (
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"kuberly.io/valkey-operator/test/apiserver"
	"kuberly.io/valkey-operator/tui/kube"
)

func TestOperator(t *testing.T) {
	server := apiserver.New(t)
	admin := newClient(t, server.Config())
	clients, err := kubernetes.NewForConfig(server.Config())
	if err != nil {
		t.Fatal(err)
	}
	namespace := server.Namespace(t)
	now := time.Now()
	look := func(c *kube.Client) kube.Operator {
		t.Helper()
		o, err := c.Operator(t.Context(), namespace, now)
		if err != nil {
			t.Fatal(err)
		}
		return o
	}
	if o := look(admin); !o.Known || o.Found {
		t.Errorf("without a Deployment: %+v", o)
	}
	nobody := newClient(t, server.AddUser(t, "nobody"))
	if o := look(nobody); o.Known {
		t.Errorf("who may not look knows %+v", o)
	}

	labels := map[string]string{"app.kubernetes.io/name": "valkey-operator", "control-plane": "controller-manager"}
	two := int32(2)
	deployment := &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Name: "manager", Namespace: namespace, Labels: labels},
		Spec: appsv1.DeploymentSpec{
			Replicas: &two, Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "manager", Image: "host:5000/valkey-operator:v1.2.3@sha256:" + digest}}},
			},
		},
	}
	if deployment, err = clients.AppsV1().Deployments(namespace).Create(t.Context(), deployment, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	deployment.Status.Replicas, deployment.Status.ReadyReplicas = 2, 1
	if _, err = clients.AppsV1().Deployments(namespace).UpdateStatus(t.Context(), deployment, metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
	holder, seconds, renewed := "manager-abc_0123", int32(6), metav1.NewMicroTime(now)
	lease := &coordinationv1.Lease{
		ObjectMeta: metav1.ObjectMeta{Name: "valkey-operator.database.kuberly.io", Namespace: namespace},
		Spec:       coordinationv1.LeaseSpec{HolderIdentity: &holder, LeaseDurationSeconds: &seconds, RenewTime: &renewed},
	}
	if _, err := clients.CoordinationV1().Leases(namespace).Create(t.Context(), lease, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	want := kube.Operator{Known: true, Found: true, Namespace: namespace, Name: "manager", Ready: 1, Wanted: 2, Version: "v1.2.3", Leader: "manager-abc"}
	if o := look(admin); o != want {
		t.Errorf("%+v, want %+v", o, want)
	}
	server.Grant(t, "nobody", namespace, rbacv1.PolicyRule{APIGroups: []string{"apps"}, Resources: []string{"deployments"}, Verbs: []string{"list"}})
	want.Leader = "" // that takes another right
	if o := look(nobody); o != want {
		t.Errorf("in a namespace alone: %+v, want %+v", o, want)
	}
	now = now.Add(time.Hour)
	if o := look(admin); o.Leader != "" {
		t.Errorf("a leader that is gone for an hour is told: %+v", o)
	}
}

const digest = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
