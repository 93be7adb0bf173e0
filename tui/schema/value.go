package schema

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"sigs.k8s.io/yaml"
)

// Parse turns what was typed into a value of the API; nil where nothing was. What it cannot read is an error; what the API does not take is not:
// Check knows that.
func (f Field) Parse(text string) (any, error) {
	if strings.TrimSpace(text) == "" {
		return nil, nil
	}
	switch f.Kind {
	case Number:
		n, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
		if err != nil {
			return nil, errors.New("must be a whole number")
		}
		return n, nil
	case Choice:
		return f.choice(strings.TrimSpace(text)), nil
	case Lines:
		return parseLines(text)
	case YAML:
		var value any
		if err := yaml.UnmarshalStrict([]byte(text), &value); err != nil {
			return nil, fmt.Errorf("is no YAML: %s", strings.TrimPrefix(strings.TrimPrefix(oneLine(err.Error()), "error converting YAML to JSON: "), "yaml: "))
		}
		return value, nil
	default:
		return text, nil
	}
}

// choice is a boolean where the field takes only those.
func (f Field) choice(text string) any {
	if slices.Equal(f.Choices, []string{"true", "false"}) {
		switch text {
		case "true":
			return true
		case "false":
			return false
		}
	}
	return text
}

// parseLines takes "key: value" and, as valkey.conf has it, "key value". The value is taken as it stands: YAML would make a truth of yes.
func parseLines(text string) (any, error) {
	values := map[string]any{}
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		at := strings.IndexAny(line, ": \t")
		if at <= 0 {
			return nil, fmt.Errorf("%q is not of the form key: value", line)
		}
		key, value := line[:at], strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(line[at:]), ":"))
		if _, twice := values[key]; twice {
			return nil, fmt.Errorf("%s stands there twice", key)
		}
		values[key] = value
	}
	return values, nil
}

// Format is the inverse of Parse.
func (f Field) Format(value any) string {
	switch v := value.(type) {
	case nil:
		return ""
	case string:
		return v
	case map[string]any:
		if f.Kind == Lines {
			var lines []string
			for _, key := range slices.Sorted(maps.Keys(v)) {
				lines = append(lines, fmt.Sprintf("%s: %v", key, v[key]))
			}
			return strings.Join(lines, "\n")
		}
	case bool, int64, float64:
		return fmt.Sprint(v)
	}
	text, err := yaml.Marshal(value)
	if err != nil {
		return fmt.Sprint(value)
	}
	return strings.TrimRight(string(text), "\n")
}
