package main

import (
	"encoding/json"
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/tui/clean"
	"kuberly.io/valkey-operator/tui/kube"
)

// objectName is how a verb tells of one object: as kubectl does, with the kind's full name for -o name.
func objectName(name, output string) string {
	if output == "name" {
		return "valkey." + v1alpha1.Group + "/" + clean.Text(name)
	}
	return "valkey/" + clean.Text(name)
}

// printObject prints a Valkey in a format; in none, its name and what was done to it.
func (p *program) printObject(v *v1alpha1.Valkey, output, done string) error {
	switch output {
	case "":
		_, err := fmt.Fprintf(p.Out, "%s %s\n", objectName(v.Name, output), done)
		return err
	case "name":
		_, err := fmt.Fprintln(p.Out, objectName(v.Name, output))
		return err
	default:
		return p.printObjects([]runtime.Object{v}, output)
	}
}

// printObjects prints typed objects as manifests that can be applied: without a status and without what the server notes for itself.
func (p *program) printObjects(objects []runtime.Object, output string) error {
	for i, object := range objects {
		fields, err := runtime.DefaultUnstructuredConverter.ToUnstructured(object)
		if err != nil {
			return err
		}
		manifest := &unstructured.Unstructured{Object: fields}
		manifest.SetManagedFields(nil)
		if status, ok := fields["status"].(map[string]any); ok && isEmptyStatus(status) {
			delete(fields, "status")
		}
		if output == "yaml" && i > 0 {
			if _, err := fmt.Fprintln(p.Out, "---"); err != nil {
				return err
			}
		}
		if err := p.printData(fields, output); err != nil {
			return err
		}
	}
	return nil
}

// isEmptyStatus reports whether the status says nothing: a Valkey that was just made has one field, and it is zero.
func isEmptyStatus(status map[string]any) bool {
	return len(status) == 0 || len(status) == 1 && status["ready_replicas"] == int64(0)
}

// printData prints in yaml or json: cleaned on a terminal, byte for byte for a program.
func (p *program) printData(data any, output string) error {
	var text []byte
	var err error
	if output == "json" {
		if text, err = json.MarshalIndent(data, "", "    "); err == nil {
			text = append(text, '\n')
		}
	} else {
		text, err = yaml.Marshal(data)
	}
	if err != nil {
		return err
	}
	if isTerminal(p.Out) {
		text = []byte(clean.Block(string(text)))
	}
	_, err = p.Out.Write(text)
	return err
}

func refOf(v *v1alpha1.Valkey) kube.Ref {
	return kube.Ref{Namespace: v.Namespace, Name: v.Name, UID: v.UID}
}
