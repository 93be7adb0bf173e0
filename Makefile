# The manager's image. `make deploy IMG=...` changes no tracked file.
IMG ?= $(IMAGE_NAME):dev
# What builds images: docker, podman, nerdctl.
CONTAINER_TOOL ?= docker
# Platforms of `make docker-buildx`.
PLATFORMS ?= linux/amd64,linux/arm64
# kubectl of the path, or else the one that the sandbox brings.
KUBECTL ?= $(or $(shell command -v kubectl),$(SANDBOX_KUBECTL))
# Where set, the operator runs in this namespace, for it alone and by a Role alone.
WATCH_NAMESPACE ?=
# Nodes of the sandbox, 1 to 3; unset: as many as it had, at first 1.
NODES ?=
# The cluster of `make demo`: sandbox or minikube.
CLUSTER ?= sandbox
# Arguments of `make run` and `make tui`.
ARGS ?=

# Tools. A new version is built at its next use.
CONTROLLER_GEN_VERSION := v0.23.0
KUSTOMIZE_VERSION := v5.8.2
GOLANGCI_LINT_VERSION := v2.15.0
GOTESTSUM_VERSION := v1.13.0
# Only to be measured beside; it is built for `make bench` and is no dependency.
K9S_VERSION := v0.50.16

IMAGE_NAME := kuberly.io/valkey-operator
BIN := $(CURDIR)/bin
CONTROLLER_GEN := $(BIN)/controller-gen-$(CONTROLLER_GEN_VERSION)
KUSTOMIZE := $(BIN)/kustomize-$(KUSTOMIZE_VERSION)
GOLANGCI_LINT := $(BIN)/golangci-lint-$(GOLANGCI_LINT_VERSION)
GOTESTSUM := $(BIN)/gotestsum-$(GOTESTSUM_VERSION)
K9S := $(BIN)/k9s-$(K9S_VERSION)
SANDBOX := $(BIN)/sandbox

# One set of flags for everything, the sandbox's Kubernetes included: the compiler's cache then serves all of it.
export CGO_ENABLED := 0
export GOFLAGS := -buildvcs=false -gcflags=all=-dwarf=false

SHELL := /usr/bin/env bash
.SHELLFLAGS := -eu -o pipefail -c
MAKEFLAGS += --no-print-directory
# make runs a line with $(MAKE) in it even when it is asked to print alone (make -n). This one it prints.
SUBMAKE := $(MAKE)
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

##@ General

.PHONY: help
help: ## Show this
	@awk 'BEGIN {FS = ":.*## "; printf "Usage: make \033[36m<target>\033[0m [VARIABLE=value]\n"} \
		/^##@/ {printf "\n\033[1m%s\033[0m\n", substr($$0, 5)} \
		/^[a-z0-9-]+:.*## / {printf "  \033[36m%-18s\033[0m %s\n", $$1, $$2}' $(MAKEFILE_LIST)

##@ Two commands to start with

.PHONY: demo
demo: build ## A cluster, the operator, a Valkey and the dashboard on it (CLUSTER=sandbox or minikube)
	@$(MAKE) demo-$(CLUSTER) IMG=$(BUILT_IMG)

# A tag that changes with the program: a cluster that has the last one rolls to the new one.
BUILT_IMG = $(IMAGE_NAME):built-$(firstword $(shell cksum < bin/manager))

.PHONY: test
test: test-unit test-integration ## All tests: unit, integration, and end to end where root may build the sandbox
	@if [ "$$(uname)" = Linux ] && [ "$$(id -u)" = 0 ]; then $(SUBMAKE) test-e2e; else \
		echo; echo '!!! NOT RUN: the end-to-end tests. They build a Kubernetes of their own, which takes root on Linux: sudo make test-e2e'; echo; fi

##@ Development

.PHONY: generate
generate: $(CONTROLLER_GEN) ## Generate the deep copies of the API
	$(CONTROLLER_GEN) object paths=./api/...

.PHONY: manifests
manifests: $(CONTROLLER_GEN) ## Generate the CRD
	$(CONTROLLER_GEN) $(CRD_OPTIONS) paths=./api/... output:crd:dir=config/crd/bases

# Descriptions of ours are shorter than this; those of the pod's own types are not, and are most of the CRD.
CRD_OPTIONS := crd:maxDescLen=250

.PHONY: fmt
fmt: $(GOLANGCI_LINT) ## Format the code
	$(GOLANGCI_LINT) fmt
	cd test/sandbox && $(GOLANGCI_LINT) fmt --config ../../.golangci.yml

.PHONY: vet
vet: ## Run go vet
	go vet -tags integration,e2e ./...
	cd test/sandbox && go vet -tags integration,e2e ./...

.PHONY: lint
lint: $(GOLANGCI_LINT) ## Run the linters, import rules included
	$(GOLANGCI_LINT) run --allow-serial-runners
	cd test/sandbox && $(GOLANGCI_LINT) run --allow-serial-runners --config ../../.golangci.yml $$(go list -f '{{.Dir}}' ./... | grep -v $(NOT_LINTED))

# Two mains of a few lines that import all of Kubernetes and of CoreDNS, which the linters would read for a quarter of an hour.
NOT_LINTED := -e '/cmd/hyper$$' -e '/cmd/coredns$$'

.PHONY: verify
verify: $(CONTROLLER_GEN) $(GOLANGCI_LINT) ## Fail where generated files, go.mod or formatting are not as they should be
	@rm -rf dist/.verify && mkdir -p dist/.verify
	$(CONTROLLER_GEN) object $(CRD_OPTIONS) paths=./api/... output:dir=dist/.verify
	@diff -u api/v1alpha1/zz_generated.deepcopy.go dist/.verify/zz_generated.deepcopy.go || { echo 'run: make generate'; exit 1; }
	@rm dist/.verify/zz_generated.deepcopy.go
	@diff -ru config/crd/bases dist/.verify || { echo 'run: make manifests'; exit 1; }
	go mod tidy -diff
	cd test/sandbox && go mod tidy -diff
	$(GOLANGCI_LINT) fmt --diff
	cd test/sandbox && $(GOLANGCI_LINT) fmt --diff --config ../../.golangci.yml

GO_TEST := $(GOTESTSUM) --format pkgname-and-test-fails --format-hide-empty-pkg --

.PHONY: test-unit
test-unit: $(GOTESTSUM) ## Tests that need nothing, of the sandbox too
	$(GO_TEST) ./...
	cd test/sandbox && $(GO_TEST) ./...

# Only packages that have such tests: their unit tests run along.
INTEGRATION_PACKAGES = $(sort $(dir $(shell grep -rl --include='*_test.go' '^//go:build integration' api cmd config operator test/apiserver tui | sed 's|^|./|')))

.PHONY: test-integration
test-integration: $(GOTESTSUM) sandbox ## Tests on a real API server and a real valkey-server
	assets=$$($(SANDBOX) assets); KUBEBUILDER_ASSETS=$$assets VALKEY_BIN=$$assets \
		$(GO_TEST) -tags integration -timeout 15m $(INTEGRATION_PACKAGES)

# A sandbox of the tests' own, beside the one of `make sandbox-up`. E2E_KEEP=1 leaves it up, and one that is up is used.
E2E_DIR ?= $(CURDIR)/.sandbox/e2e
E2E_NODES ?= 3
E2E_KEEP ?=
# Further arguments of go test, e.g. E2E_ARGS='-run TestFailover'.
E2E_ARGS ?=

.PHONY: test-e2e
test-e2e: e2e ## Tests on real pods and hosts, in a sandbox that ends with them (E2E_KEEP=1: it stays)
	cd test/sandbox && $(GO_TEST) -tags e2e -count 1 -timeout 15m ./verify/...

.PHONY: e2e
e2e: export SANDBOX_DIR := $(E2E_DIR)
e2e: build sandbox $(GOTESTSUM) $(KUSTOMIZE)
	@keep=$(E2E_KEEP); ! $(SANDBOX) --dir $(E2E_DIR) status >/dev/null 2>&1 || keep=1; \
	[ -n "$$keep" ] || trap '$(SANDBOX) --dir $(E2E_DIR) down --wipe' EXIT; \
	for time in first second; do $(SUBMAKE) demo-sandbox NODES=$(E2E_NODES) IMG=$(BUILT_IMG) < /dev/null; done; \
	$(GO_TEST) -tags e2e -count 1 -timeout 40m -exec '$(SANDBOX) --dir $(E2E_DIR) exec --' $(E2E_ARGS) ./test/e2e/... || \
	{ KUBECONFIG=$(E2E_DIR)/kubeconfig $(E2E_DIR)/bin/kubectl get pods,pvc,valkeys --all-namespaces -o wide || true; exit 1; }

# How long `make chaos` does random things, and which.
DURATION ?= 10m
SEED ?= 1

.PHONY: chaos
chaos: export CHAOS_DURATION := $(DURATION)
chaos: export CHAOS_SEED := $(SEED)
chaos: ## Random faults under load on three Valkeys (DURATION=10m SEED=1)
	$(MAKE) e2e E2E_ARGS='-run TestChaos -parallel 4 -v'

.PHONY: bench-e2e
bench-e2e: ## How long failovers, handovers and a creation take on the sandbox, and what they lose
	$(MAKE) e2e E2E_ARGS="-run None -bench . -benchtime 20x" GO_TEST='go test'

.PHONY: bench
bench: ## Run the benchmarks, and compare the dashboard with k9s
	go test -run '^$$' -bench . -benchmem ./...
	@$(MAKE) bench-k9s

.PHONY: bench-k9s
bench-k9s: build sandbox $(K9S) ## How fast and large the dashboard is beside k9s, both on one API server (the machine should be idle)
	report=$$(mktemp); trap 'cat $$report; rm -f $$report' EXIT; \
	assets=$$($(SANDBOX) assets); BENCH_REPORT=$$report KUBEBUILDER_ASSETS=$$assets VALKEYCTL=$(BIN)/valkeyctl K9S=$(K9S) \
		go test -tags integration -run '^$$' -bench '^BenchmarkPrograms$$' -benchtime 1x -timeout 20m ./tui

.PHONY: docs
docs: ## Write the tables of keys of the documentation anew
	go test ./tui/keys -run TestDocumentationHasTheKeys -update

.PHONY: pictures
pictures: ## Take the pictures of the documentation anew, from the running dashboard
	go test ./tui -count 1 -run TestPictures -pictures $(CURDIR)/docs

##@ Build

.PHONY: build
build: ## Build bin/manager and bin/valkeyctl
	go build -ldflags '-s -w' -o bin/ ./cmd/manager ./cmd/valkeyctl

.PHONY: run
run: build install ## Run the manager on this machine against the current cluster (ARGS=...)
	bin/manager --metrics-bind-address=0 $(ARGS)

.PHONY: tui
tui: build ## Open the dashboard on the current cluster (ARGS=...)
	bin/valkeyctl $(ARGS)

.PHONY: docker-build
docker-build: ## Build the manager's image IMG
	$(CONTAINER_TOOL) build -t $(IMG) .

.PHONY: docker-push
docker-push: ## Push IMG
	$(CONTAINER_TOOL) push $(IMG)

.PHONY: docker-buildx
docker-buildx: ## Build and push IMG for all PLATFORMS
	$(CONTAINER_TOOL) buildx inspect valkey-operator >/dev/null 2>&1 || $(CONTAINER_TOOL) buildx create --name valkey-operator
	$(CONTAINER_TOOL) buildx build --builder valkey-operator --platform $(PLATFORMS) --push -t $(IMG) .

.PHONY: build-installer
build-installer: dist/deploy/kustomization.yaml $(KUSTOMIZE) ## Write dist/install.yaml: the CRD and the operator in one file
	$(KUSTOMIZE) build dist/deploy > dist/install.yaml

##@ Deployment, to the cluster of the current kubeconfig

# Server-side: a client-side apply would keep a second copy of the CRD in an annotation.
APPLY = $(KUBECTL) apply --server-side --force-conflicts -f -
CRD_NAME := valkeys.database.kuberly.io

.PHONY: install
install: $(KUSTOMIZE) ## Install the CRD
	$(KUSTOMIZE) build config/crd | $(APPLY)
	$(KUBECTL) wait --for=condition=Established --timeout=60s crd/$(CRD_NAME)

.PHONY: deploy
deploy: dist/deploy/kustomization.yaml $(KUSTOMIZE) ## Deploy the CRD and the operator with image IMG (WATCH_NAMESPACE=name: for one namespace, without the CRD)
	$(KUSTOMIZE) build dist/deploy | $(APPLY)

.PHONY: undeploy
undeploy: dist/undeploy/kustomization.yaml $(KUSTOMIZE) ## Remove the operator; the CRD and every Valkey with its servers and data stay
	$(KUSTOMIZE) build dist/undeploy | $(KUBECTL) delete --ignore-not-found --timeout=60s -f -
	@$(if $(WATCH_NAMESPACE),,$(MAKE) undeploy-namespace)
	@valkeys=$$($(VALKEYS) -o name 2>/dev/null || true); echo 'The operator is gone.'; [ -z "$$valkeys" ] || \
		echo 'Valkeys run on unattended: make deploy takes them up again. To remove them: make deploy, make uninstall, make undeploy.'

.PHONY: undeploy-namespace
undeploy-namespace:
	@valkeys=$$($(KUBECTL) get valkeys --namespace $(NAMESPACE) -o name 2>/dev/null || true); \
	if [ -n "$$valkeys" ]; then echo 'The namespace $(NAMESPACE) stays: there are Valkeys in it.'; \
	else $(KUBECTL) delete namespace $(NAMESPACE) --ignore-not-found --timeout=60s; fi

.PHONY: uninstall
uninstall: ## Delete every Valkey with its data, then the CRD; asks for CONFIRM=yes, and for a running manager or FORCE=1
	@crd=$$($(KUBECTL) get crd $(CRD_NAME) --ignore-not-found -o name); \
	if [ -z "$$crd" ]; then echo 'The CRD is not installed: nothing to do.'; exit 0; fi; \
	$(SUBMAKE) uninstall-ask && $(SUBMAKE) uninstall-valkeys && \
	echo 'Deleting the CRD.' && $(KUBECTL) delete crd $(CRD_NAME) --timeout=60s

NAMESPACE := valkey-operator-system
CONFIRM ?= no
FORCE ?=
# How long the manager may take to delete all Valkeys.
UNINSTALL_TIMEOUT ?= 180s
VALKEYS = $(KUBECTL) get valkeys --all-namespaces
# Prints the number of managers that are ready, one for each Deployment of the operator.
MANAGERS = $(KUBECTL) get deployments --all-namespaces -o 'jsonpath={.items[*].status.readyReplicas}' \
	--selector app.kubernetes.io/name=valkey-operator,control-plane=controller-manager

.PHONY: uninstall-ask
uninstall-ask:
	@valkeys=$$($(VALKEYS) -o name); [ -n "$$valkeys" ] || exit 0; \
	if [ '$(CONFIRM)' != yes ]; then $(VALKEYS); \
		echo 'These would be deleted with their data; only claims with reclaim Retain stay. If you want that: make uninstall CONFIRM=yes'; exit 1; fi; \
	managers=$$($(MANAGERS)); if [ -z '$(FORCE)' ] && [ -z "$$managers" ]; then \
		echo 'No manager runs in the cluster that would delete them in order. Start one (make deploy). If one runs outside (make run),'; \
		echo 'or if Kubernetes alone is to collect what they leave: make uninstall CONFIRM=yes FORCE=1'; exit 1; fi

.PHONY: uninstall-valkeys
uninstall-valkeys:
	@valkeys=$$($(VALKEYS) -o name); [ -n "$$valkeys" ] || exit 0; \
	echo 'Deleting every Valkey; waiting for a manager, at most $(UNINSTALL_TIMEOUT).'; \
	$(KUBECTL) delete valkeys --all --all-namespaces --wait=false; \
	$(KUBECTL) wait --for=delete valkeys --all --all-namespaces --timeout=$(UNINSTALL_TIMEOUT) || true; \
	valkeys=$$($(VALKEYS) -o name); [ -n "$$valkeys" ] || exit 0; \
	if [ -z '$(FORCE)' ]; then $(VALKEYS); \
		echo 'These are not gone. See kubectl describe and the log of the manager, or go on without it: make uninstall CONFIRM=yes FORCE=1'; exit 1; fi; \
	echo 'Taking our finalizer off; Kubernetes collects what they leave.'; \
	$(VALKEYS) -o 'go-template=$(OTHER_FINALIZERS)' | sed 's/,]/]/' | while read -r namespace name others; do \
		$(KUBECTL) patch valkey $$name --namespace $$namespace --type merge --patch "{\"metadata\":{\"finalizers\":$$others}}"; done; \
	$(KUBECTL) wait --for=delete valkeys --all --all-namespaces --timeout=60s || { \
		echo 'Finalizers of others hold these, so the CRD stays:'; $(VALKEYS) -o 'go-template=$(OTHER_FINALIZERS)'; exit 1; }

# One line for each Valkey: namespace, name and a list of the finalizers that are not ours.
OTHER_FINALIZERS := {{range .items}}{{.metadata.namespace}} {{.metadata.name}} \
[{{range .metadata.finalizers}}{{if ne . "database.kuberly.io/valkey"}}"{{.}}",{{end}}{{end}}]{{"\n"}}{{end}}

# Overlays over config/, in dist/ so that no tracked file changes.
define DEPLOY_OVERLAY
resources: [../../config/$(if $(WATCH_NAMESPACE),namespaced,default)]
$(if $(WATCH_NAMESPACE),namespace: $(WATCH_NAMESPACE))
patches:
  - target: {kind: Deployment}
    patch: '[{"op": "replace", "path": "/spec/template/spec/containers/0/image", "value": "$(IMG)"}]'
endef
define UNDEPLOY_OVERLAY
resources: [../deploy]
patches:
  - target: {kind: CustomResourceDefinition}
    patch: '{"$$patch": "delete", "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {"name": "any"}}'
  - target: {kind: Namespace}
    patch: '{"$$patch": "delete", "apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "any"}}'
endef
export DEPLOY_OVERLAY UNDEPLOY_OVERLAY

.PHONY: dist/deploy/kustomization.yaml dist/undeploy/kustomization.yaml
dist/deploy/kustomization.yaml:
	@mkdir -p $(@D) && printf '%s\n' "$$DEPLOY_OVERLAY" > $@
dist/undeploy/kustomization.yaml: dist/deploy/kustomization.yaml
	@mkdir -p $(@D) && printf '%s\n' "$$UNDEPLOY_OVERLAY" > $@

##@ A Kubernetes of our own, on this machine (Linux, root)

# Where its state lies.
SANDBOX_DIR ?= $(CURDIR)/.sandbox
SANDBOX_KUBECTL = $(SANDBOX_DIR)/bin/kubectl
SANDBOX_KUBECONFIG = $(SANDBOX_DIR)/kubeconfig

.PHONY: sandbox-up
sandbox-up: sandbox ## Start it, or see that it runs (NODES=1..3); ends with the path of its kubeconfig
	$(SANDBOX) --dir $(SANDBOX_DIR) up $(if $(NODES),--nodes $(NODES))

.PHONY: sandbox-down
sandbox-down: sandbox ## Stop it and leave nothing running; its objects and volumes are there at the next start
	$(SANDBOX) --dir $(SANDBOX_DIR) down

.PHONY: sandbox
sandbox:
	@cd test/sandbox && go build -o $(SANDBOX) ./cmd/sandbox

# The sandbox with the manager of bin/ in it.
.PHONY: cluster
cluster: export KUBECONFIG = $(SANDBOX_KUBECONFIG)
cluster: sandbox-up
	$(SANDBOX) --dir $(SANDBOX_DIR) pack-manager --binary bin/manager --image $(IMG) --load
	@$(MAKE) deploy-wait KUBECTL=$(SANDBOX_KUBECTL)

.PHONY: deploy-wait
deploy-wait: deploy
	$(KUBECTL) rollout status --namespace $(NAMESPACE) --timeout=180s deployment/valkey-operator-controller-manager

.PHONY: demo-sandbox
demo-sandbox: export KUBECONFIG = $(SANDBOX_KUBECONFIG)
demo-sandbox: cluster
	@$(MAKE) demo-show KUBECTL=$(SANDBOX_KUBECTL)

.PHONY: demo-minikube
demo-minikube: docker-build
	minikube status >/dev/null 2>&1 || minikube start
	minikube image load $(IMG)
	@$(MAKE) deploy-wait KUBECTL='$(KUBECTL) --context minikube'
	@$(MAKE) demo-show KUBECTL='$(KUBECTL) --context minikube' ARGS='--context minikube'

.PHONY: demo-show
demo-show:
	$(KUBECTL) apply --namespace default -f config/samples/database_v1alpha1_valkey.yaml
	$(KUBECTL) wait --namespace default --for='jsonpath={.status.status}=running' --timeout=300s valkey/app-db
	@if [ -t 0 ] && [ -t 1 ]; then bin/valkeyctl $(ARGS); else bin/valkeyctl get --all-namespaces $(ARGS); fi

##@ Tools, built into bin/ at their first use

.PHONY: tools
tools: $(CONTROLLER_GEN) $(KUSTOMIZE) $(GOLANGCI_LINT) $(GOTESTSUM) ## Build them all

$(CONTROLLER_GEN):
	$(call go-install,sigs.k8s.io/controller-tools/cmd/controller-gen@$(CONTROLLER_GEN_VERSION))
$(KUSTOMIZE):
	$(call go-install,sigs.k8s.io/kustomize/kustomize/v5@$(KUSTOMIZE_VERSION))
$(GOLANGCI_LINT):
	$(call go-install,github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(GOLANGCI_LINT_VERSION))
$(GOTESTSUM):
	$(call go-install,gotest.tools/gotestsum@$(GOTESTSUM_VERSION))
$(K9S):
	$(call go-install,github.com/derailed/k9s@$(K9S_VERSION))

# The version stands in the file's name, so a new one is built when it changes.
define go-install
@echo 'Building $(notdir $@)'
@GOBIN=$@.new go install $(1)
@mv $@.new/* $@ && rmdir $@.new
endef
