package kube

import (
	stdjson "encoding/json"
	"errors"
	"fmt"
	"io"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/json"
)

// batchSize is how many objects of a stream are handed on at once.
const batchSize = 500

// readList reads a list as it comes, batch by batch, so that it is never in memory as a whole, and returns its version.
func readList(r io.Reader, hand func([]map[string]any)) (version string, err error) {
	decoder := stdjson.NewDecoder(r)
	if err := expect(decoder, '{'); err != nil {
		return "", err
	}
	var meta metav1.ListMeta
	for decoder.More() {
		field, err := decoder.Token()
		if err != nil {
			return "", err
		}
		switch field {
		case "items":
			err = readItems(decoder, hand)
		case "metadata":
			err = decoder.Decode(&meta)
		default:
			err = decoder.Decode(&stdjson.RawMessage{})
		}
		if err != nil {
			return "", err
		}
	}
	if err := expect(decoder, '}'); err != nil {
		return "", err
	}
	if meta.ResourceVersion == "" {
		return "", errors.New("it has no resourceVersion")
	}
	return meta.ResourceVersion, nil
}

func readItems(decoder *stdjson.Decoder, hand func([]map[string]any)) error {
	if err := expect(decoder, '['); err != nil {
		return err
	}
	var batch []map[string]any
	for decoder.More() {
		var raw stdjson.RawMessage
		if err := decoder.Decode(&raw); err != nil {
			return err
		}
		var object map[string]any
		if err := json.Unmarshal(raw, &object); err != nil { // whole numbers stay whole
			return err
		}
		if batch = append(batch, object); len(batch) == batchSize {
			hand(batch)
			batch = nil
		}
	}
	hand(batch)
	return expect(decoder, ']')
}

func expect(decoder *stdjson.Decoder, want stdjson.Delim) error {
	switch got, err := decoder.Token(); {
	case errors.Is(err, io.EOF):
		return io.ErrUnexpectedEOF
	case err != nil:
		return err
	case got != want:
		return fmt.Errorf("%v in place of %v", got, want)
	}
	return nil
}
