package kube

import (
	"context"
	"fmt"
	"strconv"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/json"
	"k8s.io/client-go/rest"
)

// relistAll lists everything. The first list is shown as it comes, a later one takes the place of the old as a whole.
//
// The first page is there soon and mostly all there is. More come as one stream, which a server answers from its cache;
// pages it reads from etcd, one after the other.
func (s *Store) relistAll(ctx context.Context) (version string, set *columnSet, err error) {
	columns := make(chan *columnSet, 1)
	go guarded(func() { columns <- s.columns(ctx) })()
	page, err := s.page(ctx)
	set = <-columns // in any case, so that the goroutine is not left behind
	if err != nil {
		return "", set, err
	}
	version = page.Metadata.ResourceVersion
	rows := newRows(page.Items, set)
	s.showPage(set, rows)
	if page.Metadata.Continue != "" {
		if version, rows, err = s.stream(ctx, set, version); err != nil {
			return "", set, err
		}
	}
	s.showAll(set, rows)
	return version, set, nil
}

func newRows(objects []map[string]any, set *columnSet) []*Row {
	now := time.Now()
	rows := make([]*Row, len(objects))
	for i := range objects {
		rows[i] = newRow(&unstructured.Unstructured{Object: objects[i]}, set, now)
	}
	return rows
}

// listPage is a page of a list as it is decoded: in one pass, where the dynamic client takes three.
type listPage struct {
	Metadata metav1.ListMeta  `json:"metadata"`
	Items    []map[string]any `json:"items"`
}

func (s *Store) listRequest() *rest.Request {
	request := s.client.connection().valkeys.Get().Resource(plural).Param("labelSelector", s.scope.LabelSelector)
	if s.scope.Namespace != "" {
		request = request.Namespace(s.scope.Namespace)
	}
	return request
}

func (s *Store) page(ctx context.Context) (*listPage, error) {
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	result := s.listRequest().Param("limit", strconv.Itoa(pageSize)).Do(ctx)
	if err := result.Error(); err != nil { // Raw alone would not read what the server says
		return nil, err
	}
	data, err := result.Raw()
	if err != nil {
		return nil, err
	}
	page := &listPage{}
	if err := json.Unmarshal(data, page); err != nil {
		return nil, fmt.Errorf("read the list: %w", err)
	}
	return page, nil
}

// stream lists everything in one answer that is not older than version, and shows the rows as they come.
func (s *Store) stream(ctx context.Context, set *columnSet, version string) (string, []*Row, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	stalled := time.AfterFunc(requestTimeout, cancel)
	defer stalled.Stop()
	body, err := s.listRequest().Param("resourceVersion", version).
		Param("resourceVersionMatch", string(metav1.ResourceVersionMatchNotOlderThan)).Stream(ctx)
	if err != nil {
		return "", nil, err
	}
	defer func() { _ = body.Close() }()
	var all []*Row
	version, err = readList(body, func(objects []map[string]any) {
		stalled.Reset(requestTimeout)
		rows := newRows(objects, set)
		all = append(all, rows...)
		s.showPage(set, rows)
	})
	switch {
	case ctx.Err() != nil && !stalled.Stop():
		return "", nil, apierrors.NewTimeoutError("the list stalled", 0)
	case err != nil:
		return "", nil, fmt.Errorf("read the list: %w", err)
	}
	return version, all, nil
}

func (s *Store) showPage(set *columnSet, rows []*Row) {
	s.change(func() bool {
		if s.synced {
			return false
		}
		s.setColumns(set)
		s.problem = nil
		s.list.add(rows)
		return true
	})
}

func (s *Store) showAll(set *columnSet, rows []*Row) {
	s.change(func() bool {
		same := s.set == set
		s.setColumns(set)
		s.list.replace(rows, same)
		s.synced = true
		return true
	})
}
