package kube

import "context"

// holdAttempts is how often an action on one state of an object is tried again that lost against writers of its status.
const holdAttempts = 5

// hold runs an action that is refused with ClassConflict where the object is another one than the ref names, or has changed
// since. An operator at work writes the status many times a second, and that is no reason to ask the user again: where
// nothing but the status has changed since ref.Generation, the action runs once more on the object as it is now.
func (c *Client) hold(ctx context.Context, ref Ref, action func(Ref) error) error {
	for attempt := 1; ; attempt++ {
		err := action(ref)
		if !IsClass(err, ClassConflict) || ref.ResourceVersion == "" || attempt == holdAttempts {
			return err
		}
		live, liveErr := c.Live(ctx, ref)
		if liveErr != nil || live.GetGeneration() != ref.Generation || live.GetResourceVersion() == ref.ResourceVersion {
			return err
		}
		ref.ResourceVersion = live.GetResourceVersion()
	}
}
