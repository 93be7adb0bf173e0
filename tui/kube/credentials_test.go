package kube

import (
	"encoding/base64"
	"net/http"
	"strings"
	"testing"

	"kuberly.io/valkey-operator/operator/valkey"
)

// secrets serves a Valkey of a spec and Secrets by name.
func (a *fakeAPI) secrets(spec map[string]any, secrets map[string]map[string]string) {
	a.mux.HandleFunc(strings.Replace(valkeysPath, "/valkeys", "/namespaces/default/valkeys/app", 1), func(w http.ResponseWriter, _ *http.Request) {
		o := object("app", "1")
		for key, value := range spec {
			o["spec"].(map[string]any)[key] = value
		}
		send(w, o)
	})
	a.mux.HandleFunc("/api/v1/namespaces/default/secrets/{name}", func(w http.ResponseWriter, r *http.Request) {
		name := r.PathValue("name")
		data, found := secrets[name]
		if !found {
			refuse(w, http.StatusForbidden, "Forbidden", `secrets "`+name+`" is forbidden: User "ann" cannot get resource "secrets" in API group "" in the namespace "default"`)
			return
		}
		encoded := map[string]string{}
		for key, value := range data {
			encoded[key] = base64.StdEncoding.EncodeToString([]byte(value))
		}
		send(w, map[string]any{"kind": "Secret", "apiVersion": "v1", "metadata": map[string]any{"name": name}, "data": encoded})
	})
}

func TestCredentials(t *testing.T) {
	awkward := `a"b\ #$'é`
	for name, test := range map[string]struct {
		who     Who
		spec    map[string]any
		secrets map[string]map[string]string
		want    valkey.Login
		problem string
	}{
		"the observer's are in its Secret": {
			Observer, nil,
			map[string]map[string]string{"app-observer": {"password": "look"}},
			valkey.Login{User: "kuberly-observer", Password: "look"},
			"",
		},
		"a Secret that may not be read": {Observer, nil, nil, valkey.Login{}, `user "ann" may not get secrets in namespace "default"`},
		"a Secret without the key":      {Observer, nil, map[string]map[string]string{"app-observer": {}}, valkey.Login{}, `has no key "password"`},
		"the user's stand in the spec": {
			User, map[string]any{"password": awkward}, nil, valkey.Login{User: "root", Password: awkward}, "",
		},
		"or in a Secret of the user": {
			User,
			map[string]any{"passwordSecretRef": map[string]any{"name": "login", "key": "word"}},
			map[string]map[string]string{"login": {"word": awkward + "\n"}},
			valkey.Login{User: "root", Password: awkward + "\n"},
			"",
		},
	} {
		t.Run(name, func(t *testing.T) {
			api := newFakeAPI(t)
			api.secrets(test.spec, test.secrets)
			got, err := api.client(t).Credentials(t.Context(), Ref{Namespace: "default", Name: "app"}, test.who)
			if got != test.want {
				t.Error("it is another login")
			}
			if message := problemText(err); (test.problem == "") != (err == nil) || !strings.Contains(message, test.problem) {
				t.Errorf("problem %q, want %q", message, test.problem)
			}
		})
	}
}

// The password of another object that has the name by now is given to nobody.
func TestCredentialsAreOfTheObjectMeant(t *testing.T) {
	api := newFakeAPI(t)
	api.secrets(map[string]any{"password": "secret"}, nil)
	_, err := api.client(t).Credentials(t.Context(), Ref{Namespace: "default", Name: "app", UID: "an-earlier-one"}, User)
	if !IsClass(err, ClassConflict) {
		t.Errorf("got %v, want a conflict", err)
	}
}

func problemText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestDialPodSaysWhoMayNot(t *testing.T) {
	api := newFakeAPI(t)
	api.mux.HandleFunc("/api/v1/namespaces/default/pods/app-0/portforward", func(w http.ResponseWriter, _ *http.Request) {
		refuse(w, http.StatusForbidden, "Forbidden", `pods "app-0" is forbidden: User "ann" cannot create resource "pods/portforward" in API group "" in the namespace "default"`)
	})
	_, err := api.client(t).DialPod(t.Context(), "default", "app-0")
	if want := `user "ann" may not create pods/portforward in namespace "default"`; !IsClass(err, ClassForbidden) || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want %s", err, want)
	}
}
