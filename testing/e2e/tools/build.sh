#!/usr/bin/env bash
# Builds the tools that people install us with from Go modules into the cache, once, and prints where each lies:
#   helm           the Helm client
#   providers      Terraform's providers for AWS and Helm, as a file system mirror that `terraform init` reads: those that the
#                  machine has, or the registry, or else those of pinned-providers
#   pinned-providers  the same at the versions named here, built (the one for AWS with the services that our modules use)
#   karpenter-chart  the peer's chart, as its module has it
#   cluster-api-crds  the folder with core Cluster API's definitions, as its module has them
#   cluster-api-manager  core Cluster API's manager, built
#   clusterctl     Cluster API's command line, built
#   cert-manager-crds  the folder with the definitions of cert-manager, which clusterctl asks for, as its module has them
#   terraform      the one on the PATH, else OpenTofu
# MILLWRIGHT_CACHE moves the cache, MILLWRIGHT_TOOLS_CACHE this part of it; GOMODCACHE and GOCACHE share Go's with other builds.
set -euo pipefail

readonly HELM_VERSION=3.22.0
readonly TOFU_VERSION=1.12.6
# A provider's module has no major version in its path: Go knows its releases by the commit, people by the number.
readonly AWS_PROVIDER=(6.47.0 v1.60.1-0.20260602190131-5f2286d6d836)
readonly HELM_PROVIDER=(3.2.0 v1.3.3-0.20260629194918-a4f1c1d8b008)
readonly KARPENTER_VERSION=1.14.1
readonly CLUSTER_API_VERSION=1.14.2
# The one that this clusterctl installs.
readonly CERT_MANAGER_VERSION=1.21.1
readonly GO_MIN=1.26
readonly TOOLS="helm, providers, pinned-providers, karpenter-chart, cluster-api-crds, cluster-api-manager, clusterctl, cert-manager-crds and terraform"

readonly CACHE="${MILLWRIGHT_TOOLS_CACHE:-${MILLWRIGHT_CACHE:-$HOME/.cache/millwright}/tools}"

say() { echo "tools: $*" >&2; }

fail() {
    say "$*"
    exit 1
}

check_go() {
    local go
    go=$("$(dirname "${BASH_SOURCE[0]}")/../../../build/fetch/go.sh" "$GO_MIN") || exit 1
    PATH="$go:$PATH"
}

# Go as all builds here use it. Nobody debugs these binaries, and the compiler may rather use memory than collect often.
run_go() {
    GOMODCACHE="${GOMODCACHE:-$CACHE/gomod}" GOCACHE="${GOCACHE:-$CACHE/gocache}" CGO_ENABLED=0 GOTOOLCHAIN=auto GOGC=400 \
        nice -n 5 go "$@"
}

# compile TARGET COMMAND…: the command writes the binary into the empty folder that is its last argument. The rename at
# the end keeps half a binary out of sight. Two builds at once would do the same work twice: the second waits, and then
# finds the binary.
compile() {
    local target=$1 began=$SECONDS built="$CACHE/build" name
    name=$(basename "$target")
    shift
    [[ -x "$target" ]] && return
    command -v flock >/dev/null || fail "found no flock on the PATH; it is in the package util-linux"
    mkdir -p "$CACHE" "$(dirname "$target")"
    exec 9>"$CACHE/build.lock"
    if ! flock -n 9; then
        say "another build is running in $CACHE; waiting for it"
        flock 9
    fi
    if [[ ! -x "$target" ]]; then
        check_go "$name"
        say "building $name ..."
        rm -rf "$built"
        mkdir "$built"
        "$@" "$built" >&2 || fail "cannot build $name"
        mv -f "$built"/* "$target"
        say "built $name in $((SECONDS - began)) s"
    fi
    # The next tool of this run may be built by a process of its own.
    exec 9>&-
}

# install PACKAGE@VERSION FOLDER
install() {
    GOBIN="$2" GOFLAGS="-buildvcs=false -gcflags=all=-dwarf=false" run_go install -trimpath -ldflags="-s -w" "$1"
}

# cluster_api_program NAME PACKAGE FOLDER: a module that replaces others is not installed by its name, so one of ours requires
# it, at the versions that it names.
cluster_api_program() {
    local wrap="$CACHE/cluster-api-wrap" versions=sigs.k8s.io/cluster-api/version
    rm -rf "$wrap"
    mkdir -p "$wrap"
    printf 'module millwright.dev/cluster-api\n\ngo 1.26\n\nrequire (\n\tsigs.k8s.io/cluster-api v%s\n\tsigs.k8s.io/cluster-api/api v%s\n)\n' \
        "$CLUSTER_API_VERSION" "$CLUSTER_API_VERSION" >"$wrap/go.mod"
    GOFLAGS="-mod=mod -buildvcs=false -gcflags=all=-dwarf=false" run_go build -C "$wrap" -trimpath \
        -ldflags="-s -w -X $versions.gitVersion=v$CLUSTER_API_VERSION" -o "$3/$1" "sigs.k8s.io/cluster-api/$2"
}

# module NAME VERSION PATH: where a file of a module lies that is only read
module() {
    local found
    check_go "$1"
    found=$(GOFLAGS=-mod=mod run_go mod download -json "$1@$2" | sed -n 's/^[[:space:]]*"Dir": "\(.*\)",$/\1/p')
    [[ -e "$found/$3" ]] || fail "cannot find $3 in $1@$2"
    echo "$found/$3"
}

source "$(dirname "${BASH_SOURCE[0]}")/providers.sh"

build() {
    case "$1" in
    helm)
        compile "$CACHE/helm-$HELM_VERSION/helm" install "helm.sh/helm/v3/cmd/helm@v$HELM_VERSION"
        echo "$CACHE/helm-$HELM_VERSION/helm"
        ;;
    providers) providers ;;
    pinned-providers) pinned_providers ;;
    karpenter-chart) module github.com/aws/karpenter-provider-aws "v$KARPENTER_VERSION" charts/karpenter ;;
    cluster-api-crds) module sigs.k8s.io/cluster-api "v$CLUSTER_API_VERSION" core/config/crd/bases ;;
    cluster-api-manager)
        compile "$CACHE/cluster-api-$CLUSTER_API_VERSION/manager" cluster_api_program cluster-api-manager core
        echo "$CACHE/cluster-api-$CLUSTER_API_VERSION/manager"
        ;;
    clusterctl)
        compile "$CACHE/cluster-api-$CLUSTER_API_VERSION/clusterctl" cluster_api_program clusterctl cmd/clusterctl
        echo "$CACHE/cluster-api-$CLUSTER_API_VERSION/clusterctl"
        ;;
    cert-manager-crds) module github.com/cert-manager/cert-manager "v$CERT_MANAGER_VERSION" deploy/crds ;;
    terraform) terraform_cli ;;
    *)
        echo "build.sh: unknown tool \"$1\"; there are $TOOLS" >&2
        exit 2
        ;;
    esac
}

[[ $# -gt 0 ]] || {
    echo "build.sh: say which tool: $TOOLS" >&2
    exit 2
}
for tool in "$@"; do
    build "$tool"
done
