#!/usr/bin/env bash
# Builds the tools that people install us with from Go modules into the cache, once, and prints where each lies:
#   helm           the Helm client
#   aws-provider   Terraform's provider for AWS (half an hour of processor time, 4 GiB of memory)
#   helm-provider  Terraform's provider for Helm
#   mirror         both providers, as a file system mirror that `terraform init` reads
#   karpenter-chart  the peer's chart, as its module has it
#   cluster-api-crds  the folder with core Cluster API's definitions, as its module has them
#   terraform      the one on the PATH, else OpenTofu
# MILLWRIGHT_TOOLS_CACHE moves the cache; GOMODCACHE and GOCACHE share Go's with other builds.
set -euo pipefail

readonly HELM_VERSION=3.22.0
readonly TOFU_VERSION=1.12.6
# A provider's module has no major version in its path: Go knows its releases by the commit, people by the number.
readonly AWS_PROVIDER=(6.47.0 v1.60.1-0.20260602190131-5f2286d6d836)
readonly HELM_PROVIDER=(3.2.0 v1.3.3-0.20260629194918-a4f1c1d8b008)
readonly KARPENTER_VERSION=1.14.1
readonly CLUSTER_API_VERSION=1.14.2
readonly GO_MIN=1.26

readonly CACHE="${MILLWRIGHT_TOOLS_CACHE:-$HOME/.cache/millwright/tools}"
readonly MIRROR="$CACHE/mirror"

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

# compile TARGET PACKAGE@VERSION: the rename at the end keeps half a binary out of sight. Two builds at once would do
# the same work twice: the second waits, and then finds the binary.
compile() {
    local target=$1 package=$2 began=$SECONDS built
    [[ -x "$target" ]] && return
    command -v flock >/dev/null || fail "found no flock on the PATH; it is in the package util-linux"
    mkdir -p "$CACHE" "$(dirname "$target")"
    exec 9>"$CACHE/build.lock"
    if ! flock -n 9; then
        say "another build is running in $CACHE; waiting for it"
        flock 9
    fi
    [[ -x "$target" ]] && return
    check_go "$package"
    say "building $package ..."
    built="$CACHE/build"
    rm -rf "$built"
    GOMODCACHE="${GOMODCACHE:-$CACHE/gomod}" GOCACHE="${GOCACHE:-$CACHE/gocache}" GOBIN="$built" \
        CGO_ENABLED=0 GOFLAGS=-buildvcs=false GOTOOLCHAIN=auto \
        nice -n 5 go install -trimpath -ldflags="-s -w" "$package" >&2 || fail "cannot build $package"
    mv -f "$built"/* "$target"
    say "built $package in $((SECONDS - began)) s"
}

# provider NAME VERSION GO-VERSION
provider() {
    local platform directory target
    platform="$(uname -s | tr '[:upper:]' '[:lower:]')_$(uname -m | sed 's/x86_64/amd64/; s/aarch64/arm64/')"
    directory="$MIRROR/registry.terraform.io/hashicorp/$1/$2/$platform"
    target="$directory/terraform-provider-$1_v$2"
    compile "$target" "github.com/hashicorp/terraform-provider-$1@$3"
    echo "$target"
}

# module NAME VERSION PATH: where a file of a module lies that is only read
module() {
    local found
    check_go "$1"
    found=$(GOMODCACHE="${GOMODCACHE:-$CACHE/gomod}" GOFLAGS=-mod=mod GOTOOLCHAIN=auto \
        go mod download -json "$1@$2" | sed -n 's/^[[:space:]]*"Dir": "\(.*\)",$/\1/p')
    [[ -e "$found/$3" ]] || fail "cannot find $3 in $1@$2"
    echo "$found/$3"
}

build() {
    case "$1" in
    helm)
        compile "$CACHE/helm-$HELM_VERSION/helm" "helm.sh/helm/v3/cmd/helm@v$HELM_VERSION"
        echo "$CACHE/helm-$HELM_VERSION/helm"
        ;;
    aws-provider) provider aws "${AWS_PROVIDER[@]}" ;;
    helm-provider) provider helm "${HELM_PROVIDER[@]}" ;;
    mirror)
        provider helm "${HELM_PROVIDER[@]}" >/dev/null
        provider aws "${AWS_PROVIDER[@]}" >/dev/null
        echo "$MIRROR"
        ;;
    karpenter-chart) module github.com/aws/karpenter-provider-aws "v$KARPENTER_VERSION" charts/karpenter ;;
    cluster-api-crds) module sigs.k8s.io/cluster-api "v$CLUSTER_API_VERSION" core/config/crd/bases ;;
    terraform)
        if ! command -v terraform; then
            compile "$CACHE/tofu-$TOFU_VERSION/tofu" "github.com/opentofu/opentofu/cmd/tofu@v$TOFU_VERSION"
            echo "$CACHE/tofu-$TOFU_VERSION/tofu"
        fi
        ;;
    *)
        echo "build.sh: unknown tool \"$1\"; there are helm, aws-provider, helm-provider, mirror, karpenter-chart, cluster-api-crds and terraform" >&2
        exit 2
        ;;
    esac
}

[[ $# -gt 0 ]] || {
    echo "build.sh: say which tool: helm, aws-provider, helm-provider, mirror, karpenter-chart, cluster-api-crds or terraform" >&2
    exit 2
}
for tool in "$@"; do
    build "$tool"
done
