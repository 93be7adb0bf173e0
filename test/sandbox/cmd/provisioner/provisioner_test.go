package main

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/tools/cache"
	"sigs.k8s.io/sig-storage-lib-external-provisioner/v13/controller"
)

const provisionerName = "kuberly.io/sandbox"

func storage(size string) corev1.ResourceList {
	return corev1.ResourceList{corev1.ResourceStorage: resource.MustParse(size)}
}

func claim(wanted, has string) *corev1.PersistentVolumeClaim {
	return &corev1.PersistentVolumeClaim{
		ObjectMeta: metav1.ObjectMeta{Name: "data", Namespace: "shop", UID: "1234"},
		Spec: corev1.PersistentVolumeClaimSpec{
			VolumeName: "pv", AccessModes: []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce},
			Resources: corev1.VolumeResourceRequirements{Requests: storage(wanted)},
		},
		Status: corev1.PersistentVolumeClaimStatus{Phase: corev1.ClaimBound, Capacity: storage(has)},
	}
}

func volume(by, size string) *corev1.PersistentVolume {
	return &corev1.PersistentVolume{
		ObjectMeta: metav1.ObjectMeta{Name: "pv", Annotations: map[string]string{"pv.kubernetes.io/provisioned-by": by}},
		Spec:       corev1.PersistentVolumeSpec{Capacity: storage(size)},
	}
}

// sizes returns the capacity that the claim and its volume show.
func sizes(ctx context.Context, t *testing.T, client kubernetes.Interface) (ofClaim, ofVolume string) {
	t.Helper()
	c, err := client.CoreV1().PersistentVolumeClaims("shop").Get(ctx, "data", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	v, err := client.CoreV1().PersistentVolumes().Get(ctx, "pv", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	a, b := c.Status.Capacity[corev1.ResourceStorage], v.Spec.Capacity[corev1.ResourceStorage]
	return a.String(), b.String()
}

func TestGrow(t *testing.T) {
	for name, c := range map[string]struct {
		claim                *corev1.PersistentVolumeClaim
		volume               *corev1.PersistentVolume
		wantClaim, wantVolum string
	}{
		"a claim that asks for more gets it":          {claim("2Gi", "1Gi"), volume(provisionerName, "1Gi"), "2Gi", "2Gi"},
		"a volume that has grown already is kept":     {claim("2Gi", "1Gi"), volume(provisionerName, "2Gi"), "2Gi", "2Gi"},
		"a claim that asks for less keeps its size":   {claim("1Gi", "2Gi"), volume(provisionerName, "2Gi"), "2Gi", "2Gi"},
		"another provisioner's volume is not touched": {claim("2Gi", "1Gi"), volume("other", "1Gi"), "1Gi", "1Gi"},
	} {
		t.Run(name, func(t *testing.T) {
			client := fake.NewClientset(c.claim, c.volume)
			if err := newGrower(client, provisionerName).grow(t.Context(), cache.ObjectName{Namespace: "shop", Name: "data"}); err != nil {
				t.Fatal(err)
			}
			if gotClaim, gotVolume := sizes(t.Context(), t, client); gotClaim != c.wantClaim || gotVolume != c.wantVolum {
				t.Errorf("claim %s and volume %s, want %s and %s", gotClaim, gotVolume, c.wantClaim, c.wantVolum)
			}
		})
	}
}

func TestAChangedClaimIsSeen(t *testing.T) {
	ctx := t.Context()
	client := fake.NewClientset(claim("1Gi", "1Gi"), volume(provisionerName, "1Gi"))
	go newGrower(client, provisionerName).run(ctx)
	// The fake client's watch begins when the informer has listed, so the change is repeated until it is seen.
	err := wait.PollUntilContextTimeout(ctx, 20*time.Millisecond, 30*time.Second, true, func(ctx context.Context) (bool, error) {
		if ofClaim, ofVolume := sizes(ctx, t, client); ofClaim == "3Gi" && ofVolume == "3Gi" {
			return true, nil
		}
		_, err := client.CoreV1().PersistentVolumeClaims("shop").Update(ctx, claim("3Gi", "1Gi"), metav1.UpdateOptions{})
		return false, err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestAVolumeIsAFolderThatEveryUserMayWriteTo(t *testing.T) {
	f := folders{root: t.TempDir()}
	policy := corev1.PersistentVolumeReclaimDelete
	pv, _, err := f.Provision(t.Context(), controller.ProvisionOptions{
		PVC: claim("1Gi", "0"), PVName: "pv", StorageClass: &storagev1.StorageClass{ReclaimPolicy: &policy},
	})
	if err != nil {
		t.Fatal(err)
	}
	dir := pv.Spec.HostPath.Path
	info, err := os.Stat(dir)
	if err != nil || info.Mode().Perm() != 0o777 {
		t.Fatalf("folder is %v (%v), want mode 0777", info, err)
	}
	if err := os.WriteFile(filepath.Join(dir, "dump.rdb"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := f.Delete(t.Context(), pv); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Fatalf("the folder is still there: %v", err)
	}
}

func TestDeleteKeepsToItsOwnFolder(t *testing.T) {
	f := folders{root: t.TempDir()}
	outside := t.TempDir()
	for _, path := range []string{outside, f.root, filepath.Join(f.root, "..", filepath.Base(outside))} {
		pv := volume(provisionerName, "1Gi")
		pv.Spec.HostPath = &corev1.HostPathVolumeSource{Path: path}
		if err := f.Delete(t.Context(), pv); err == nil {
			t.Errorf("deleted %s", path)
		}
	}
}
