package kube

import (
	"context"
	"slices"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
)

// crdDelay is how long to wait before the CRD is watched again where that is forbidden.
const crdDelay = 5 * time.Minute

// columns are the columns to print: those of the CRD where it may be read, else those of a Table of the server, else those in use.
// It returns the set in use where nothing differs, so that rows can be kept.
func (s *Store) columns(ctx context.Context) *columnSet {
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	s.mu.Lock()
	current := s.set
	s.mu.Unlock()
	columns, err := s.readColumns(ctx)
	if err != nil {
		return current // the list itself tells what is wrong
	}
	if fresh := newColumnSet(columns); !slices.Equal(fresh.columns, current.columns) {
		return fresh
	}
	return current
}

func (s *Store) readColumns(ctx context.Context) ([]Column, error) {
	crd, err := s.client.connection().dynamic.Resource(crdResource).Get(ctx, crdName, metav1.GetOptions{})
	if err == nil {
		return columnsOf(crd)
	}
	if apierrors.IsForbidden(err) {
		return s.client.tableColumns(ctx, s.scope)
	}
	return nil, err
}

// followCRD makes the list anew when the CRD's columns change or the CRD comes back. A user who may not watch it loses only that.
func (s *Store) followCRD(ctx context.Context) {
	f := &feed{
		client: s.client,
		list: func(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) {
			o.FieldSelector = onlyOurCRD
			return s.client.connection().dynamic.Resource(crdResource).List(ctx, o)
		},
		watch: func(ctx context.Context, o metav1.ListOptions) (watch.Interface, error) {
			o.FieldSelector = onlyOurCRD
			return s.client.connection().dynamic.Resource(crdResource).Watch(ctx, o)
		},
		put: func(o runtime.Object) {
			if crd, ok := o.(*unstructured.Unstructured); ok && s.isNews(crd) {
				poke(s.relist)
			}
		},
		drop: func(runtime.Object) {},
		ends: func(p *Problem) bool { return p.Class == ClassForbidden },
	}
	f.replace = func(all []runtime.Object) {
		for _, o := range all {
			f.put(o)
		}
	}
	for ctx.Err() == nil {
		_ = f.follow(ctx) // whatever is wrong, the list says it better
		pause(ctx, crdDelay)
	}
}

var onlyOurCRD = fields.OneTermEqualSelector("metadata.name", crdName).String()

// isNews reports whether the CRD is served and differs from what the rows are printed by, or is what the list has been waiting for.
func (s *Store) isNews(crd *unstructured.Unstructured) bool {
	if !isEstablished(crd) {
		return false
	}
	columns, err := columnsOf(crd)
	if err != nil {
		return false
	}
	declared := newColumnSet(columns).columns
	s.mu.Lock()
	defer s.mu.Unlock()
	s.declared = declared
	return s.problem != nil && s.problem.Class == ClassNoCRD || !slices.Equal(declared, s.set.columns)
}

// columnsChanged reports whether the CRD was last seen with other columns than the rows have.
func (s *Store) columnsChanged() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.declared != nil && !slices.Equal(s.declared, s.set.columns)
}
