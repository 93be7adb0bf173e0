//go:build integration

package v1alpha1_test

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func TestUpdate(t *testing.T) {
	const (
		noSwitch  = "spec.volume.enabled: Invalid value: volume.enabled cannot be switched while the object exists: create a second Valkey with the other setting, copy the data (valkey-cli --rdb, or REPLICAOF), then delete this one"
		noClass   = "spec.volume.storageClassName: Invalid value: volume.storageClassName cannot change: create a second Valkey with the other class and copy the data"
		noShrink  = "spec.volume.storage: Invalid value: a volume can grow but not shrink: keep the size or raise it; to shrink, create a new Valkey and copy the data"
		needsSize = "spec.volume.storage: Required value: a volume needs a size: set spec.volume.storage (or spec.resource.storage), e.g. 1Gi"
	)
	noVolume := set("spec.volume.enabled", false)
	fast, slow := set("spec.volume.storageClassName", "fast"), set("spec.volume.storageClassName", "slow")
	fromResource := unset("spec.volume.storage")
	tests := map[string]struct {
		before, after change
		want          string
	}{
		"nothing":                                {all(), all(), ""},
		"volume on":                              {noVolume, set("spec.volume.enabled", true), noSwitch},
		"volume off":                             {all(), noVolume, noSwitch},
		"class named later":                      {all(), fast, noClass},
		"class left out later":                   {fast, unset("spec.volume.storageClassName"), noClass},
		"class changed":                          {fast, slow, noClass},
		"class kept":                             {fast, fast, ""},
		"size raised":                            {all(), set("spec.volume.storage", "1Gi"), ""},
		"size kept in another unit":              {set("spec.volume.storage", "1024Mi"), set("spec.volume.storage", "1Gi"), ""},
		"size lowered":                           {set("spec.volume.storage", "1Gi"), set("spec.volume.storage", "1023Mi"), noShrink},
		"a longer number that is less":           {set("spec.volume.storage", "2Ti"), set("spec.volume.storage", "1000Gi"), noShrink},
		"size of resource raised":                {fromResource, set("spec.resource.storage", "1Gi"), ""},
		"size of resource lowered":               {fromResource, set("spec.resource.storage", "256Mi"), noShrink},
		"left to a smaller resource":             {set("spec.volume.storage", "1Gi"), fromResource, noShrink},
		"left to an equal resource":              {all(), fromResource, ""},
		"named above the resource":               {fromResource, set("spec.volume.storage", "1Gi"), ""},
		"named below the resource":               {fromResource, set("spec.volume.storage", "256Mi"), noShrink},
		"resource lowered beside a volume's own": {all(), set("spec.resource.storage", "256Mi"), ""},
		"all sizes left out":                     {all(), unset("spec.volume.storage", "spec.resource.storage"), needsSize},
		"size lowered where there is no volume":  {noVolume, set("spec.volume.storage", "1Mi"), ""},
		"claims kept from now on":                {all(), set("spec.volume.reclaim", "Retain"), ""},
		"another image":                          {all(), set("spec.image", "valkey/valkey:8.1"), ""},
		"another size of a server":               {all(), all(set("spec.resource.cpu", "2.5"), set("spec.resource.memory", "1Gi")), ""},
		"another user":                           {all(), set("spec.user", "admin"), ""},
		"another password":                       {all(), set("spec.password", "other"), ""},
		"password moved to a Secret":             {all(), secretRef("credentials"), ""},
		"stopped":                                {all(), set("spec.replicas", int64(0)), ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			client := valkeys(t)
			made, err := client.Create(t.Context(), manifest(t, test.before), metav1.CreateOptions{})
			if err != nil {
				t.Fatal(err)
			}
			test.after(made.Object)
			_, err = client.Update(t.Context(), made, metav1.UpdateOptions{DryRun: dryRun})
			checkVerdict(t, err, test.want)
		})
	}
}

// A size that is no quantity has its own refusal: the rule that compares sizes must not add a riddle to it.
func TestUpdateToNoSize(t *testing.T) {
	client := valkeys(t)
	made, err := client.Create(t.Context(), manifest(t), metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	set("spec.volume.storage", "much")(made.Object)
	_, err = client.Update(t.Context(), made, metav1.UpdateOptions{DryRun: dryRun})
	checkVerdict(t, err, `spec.volume.storage: Invalid value: "much": spec.volume.storage in body should match '^[0-9]+[MGT]i$'`)
	if got := causes(err); len(got) != 1 {
		t.Errorf("got %d causes, want one: %q", len(got), got)
	}
}
