package server

import (
	"context"
	"slices"
)

// Once waits until each of the pods' servers has told something, or why it does not; ctx bounds the wait, and what is known by
// then is returned.
func (o *Observer) Once(ctx context.Context, pods []string) []Reading {
	o.SetPods(pods)
	var last []Reading
	for len(pods) > 0 {
		readings, err := o.Next(ctx)
		if err != nil {
			return last
		}
		last = readings
		if !slices.ContainsFunc(pods, func(pod string) bool {
			return !slices.ContainsFunc(readings, func(r Reading) bool { return r.Pod == pod })
		}) {
			return last
		}
	}
	return last
}
