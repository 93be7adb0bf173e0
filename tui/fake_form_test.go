package tui

import (
	"context"
	"os/exec"
	"slices"
	"strconv"

	tea "github.com/charmbracelet/bubbletea"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/tui/kube"
	"kuberly.io/valkey-operator/tui/manifest"
	"kuberly.io/valkey-operator/tui/schema"
)

// fakeForms is what forms ask of a fake cluster.
type fakeForms struct {
	objects     map[string]*unstructured.Unstructured // by namespace/name, beside the rows
	lastCreated *v1alpha1.Valkey
	schema      *schema.Schema
	classes     []string
	hold        chan struct{} // a commit waits for it
	fresh       *kube.Row     // what is read of a Valkey that the list does not know yet
}

// object is the whole object of a row.
func (f *fake) object(r *kube.Row) *unstructured.Unstructured {
	if o := f.objects[r.Namespace+"/"+r.Name]; o != nil {
		return o
	}
	password := "geheim"
	v := &v1alpha1.Valkey{}
	v.Namespace, v.Name, v.UID, v.ResourceVersion = r.Namespace, r.Name, r.UID, r.ResourceVersion
	v.Status.Primary = r.Name + "-node-0"
	v.Spec = v1alpha1.ValkeySpec{
		Image: "valkey/valkey:9.1", ImagePullPolicy: "IfNotPresent", User: "root", Password: &password, Replicas: &r.Replicas,
		Volume:   v1alpha1.VolumeSpec{Enabled: r.HasVolume, Reclaim: v1alpha1.ReclaimDelete},
		Resource: v1alpha1.ResourceSpec{CPU: "200m", Memory: "512Mi", Storage: "1Gi"},
	}
	if r.HasVolume {
		v.Spec.Volume.Storage = "1Gi"
	}
	o, err := manifest.Untyped(v)
	if err != nil {
		panic(err)
	}
	return o
}

func (f *fake) Live(_ context.Context, ref kube.Ref) (*unstructured.Unstructured, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	refused := f.refuse // only changes are
	f.refuse = nil
	i, err := f.find(ref)
	if f.refuse = refused; err != nil {
		return nil, err
	}
	return f.object(f.rows[i]).DeepCopy(), nil
}

// Row is for stopper.
func (f *fake) Row(_ context.Context, ref kube.Ref) (*kube.Row, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.fresh != nil {
		return f.fresh, nil
	}
	i, err := f.find(ref)
	if err != nil {
		return nil, err
	}
	return f.rows[i], nil
}

func (f *fake) Review(ctx context.Context, p kube.Proposal) (kube.Review, error) {
	f.mu.Lock()
	err := f.refuse[p.Wanted.GetNamespace()+"/"+p.Wanted.GetName()]
	f.mu.Unlock()
	if err != nil {
		return kube.Review{}, err
	}
	if p.Base == nil {
		r := kube.Review{Proposal: p, Result: p.Wanted.DeepCopy()}
		if p.Password != "" {
			r.Secret = p.Wanted.GetName() + "-password"
		}
		return r, nil
	}
	live, err := f.Live(ctx, kube.Ref{Namespace: p.Base.GetNamespace(), Name: p.Base.GetName(), UID: p.Base.GetUID()})
	if err != nil {
		return kube.Review{}, err
	}
	r := kube.Review{Meanwhile: manifest.Changes(p.Base, live)}
	if p.Wanted, err = manifest.Rebase(p.Base, p.Wanted, live); err != nil {
		return kube.Review{}, err
	}
	p.Base = live
	r.Proposal, r.Result = p, p.Wanted
	return r, nil
}

func (f *fake) Commit(_ context.Context, p kube.Proposal) (kube.CreateResult, error) {
	if f.hold != nil {
		<-f.hold
	}
	v, err := manifest.Typed(p.Wanted)
	if err != nil {
		return kube.CreateResult{}, err
	}
	key := v.Namespace + "/" + v.Name
	f.set(func() {
		if err = f.refuse[key]; err != nil {
			return
		}
		if p.Base != nil {
			err = f.replace(p, v)
			return
		}
		f.uids++
		f.lastCreated = v
		v.UID = types.UID("uid-" + strconv.Itoa(f.uids))
		f.note("create %s image %s replicas %d password %d", key, v.Spec.Image, *v.Spec.Replicas, len(p.Password))
		row := object{
			namespace: v.Namespace, name: v.Name, uid: string(v.UID), replicas: *v.Spec.Replicas,
			status: v1alpha1.PhaseInProgress, image: v.Spec.Image, memory: v.Spec.Resource.Memory,
		}.row()
		f.rows = append(slices.Clone(f.rows), row)
	})
	if err != nil || p.Base != nil {
		return kube.CreateResult{Valkey: v}, err
	}
	return kube.CreateResult{Valkey: v, Secret: v.Name + "-password"}, nil
}

func (f *fake) replace(p kube.Proposal, v *v1alpha1.Valkey) error {
	i, err := f.find(kube.Ref{Namespace: v.Namespace, Name: v.Name, UID: p.Base.GetUID()})
	if err != nil {
		return err
	}
	if len(manifest.Changes(p.Base, f.object(f.rows[i]))) > 0 {
		return &kube.Problem{Class: kube.ClassConflict, Message: "it has changed since you looked at it"}
	}
	for _, c := range manifest.Changes(p.Base, p.Wanted) {
		f.note("change %s/%s %s", v.Namespace, v.Name, c)
	}
	if f.objects == nil {
		f.objects = map[string]*unstructured.Unstructured{}
	}
	f.objects[v.Namespace+"/"+v.Name] = p.Wanted
	return nil
}

// meanwhile changes a field of an object, as somebody else would.
func (f *fake) meanwhile(value any, path ...string) {
	f.set(func() {
		i, err := f.find(kube.Ref{Namespace: "default", Name: "cache"})
		if err != nil {
			panic(err)
		}
		o := f.object(f.rows[i]).DeepCopy()
		if err := unstructured.SetNestedField(o.Object, value, path...); err != nil {
			panic(err)
		}
		if f.objects == nil {
			f.objects = map[string]*unstructured.Unstructured{}
		}
		f.objects["default/cache"] = o
	})
}

func (f *fake) Stop(ctx context.Context, ref kube.Ref, opts kube.ScaleOptions) (kube.ScaleResult, error) {
	return f.Scale(ctx, ref, 0, opts)
}

func (f *fake) Start(ctx context.Context, ref kube.Ref, opts kube.ScaleOptions) (kube.ScaleResult, error) {
	f.mu.Lock()
	i, err := f.find(ref)
	to := int32(1)
	if err == nil {
		to = max(f.rows[i].Remembered, 1)
	}
	f.mu.Unlock()
	if err != nil {
		return kube.ScaleResult{}, err
	}
	return f.Scale(ctx, ref, to, opts)
}

func (f *fake) Schema(context.Context) *schema.Schema {
	if f.schema != nil {
		return f.schema
	}
	return kube.BuiltinSchema()
}

func (f *fake) Namespaces(context.Context) ([]string, error) {
	return []string{"default", "kube-system", "shop"}, nil
}

func (f *fake) StorageClasses(context.Context) ([]string, error) {
	if f.classes == nil {
		return nil, &kube.Problem{Class: kube.ClassForbidden, Message: "you may not list storageclasses"}
	}
	return f.classes, nil
}

func (f *fake) ChildEnv(string, string) ([]string, error) { return []string{"CHILD=yes"}, nil }

// runHere runs an editor without a terminal.
func runHere(cmd *exec.Cmd, then tea.ExecCallback) tea.Cmd {
	return func() tea.Msg { return then(cmd.Run()) }
}
