package create

import (
	"crypto/rand"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kuberly.io/valkey-operator/api/v1alpha1"
	"kuberly.io/valkey-operator/tui/kube"
	"kuberly.io/valkey-operator/tui/screen"
)

// submit sends what was typed, or shows what is wrong with it.
func (m *Model) submit() screen.Effect {
	m.above, m.refused = nil, map[string]string{}
	values := m.draft()
	for i := range specs {
		s := &specs[i]
		if s.key != fieldPassword && s.key != fieldVolume {
			values[s.key] = strings.TrimSpace(values[s.key])
		}
		if s.check == nil {
			continue
		}
		if err := s.check(values[s.key]); err != nil {
			m.refused[s.key] = err.Error()
		}
	}
	if len(m.refused) > 0 {
		m.goToRefused()
		return nil
	}
	m.sending = true
	id := m.id
	return func() tea.Msg {
		if values[fieldPassword] == "" {
			values[fieldPassword] = rand.Text()
		}
		return screen.Create{From: id, Options: options(values)}
	}
}

// options are the values as the API takes them; the storage fills both of its fields, as it does on the command line.
func options(values map[string]string) kube.CreateOptions {
	n, _ := strconv.ParseInt(values[fieldReplicas], 10, 32) // checked before
	replicas := int32(n)
	v := &v1alpha1.Valkey{ObjectMeta: metav1.ObjectMeta{Namespace: values[fieldNamespace], Name: values[fieldName]}}
	v.Spec = v1alpha1.ValkeySpec{
		Image:    values[fieldImage],
		User:     values[fieldUser],
		Replicas: &replicas,
		Volume:   v1alpha1.VolumeSpec{Enabled: values[fieldVolume] == "true"},
		Resource: v1alpha1.ResourceSpec{
			Memory: values[fieldMemory], CPU: values[fieldCPU], Storage: values[fieldStorage],
		},
	}
	if v.Spec.Volume.Enabled {
		v.Spec.Volume.Storage = values[fieldStorage]
	}
	return kube.CreateOptions{Valkey: v, Password: values[fieldPassword]}
}
