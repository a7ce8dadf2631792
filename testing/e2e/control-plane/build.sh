#!/usr/bin/env bash
# Builds a control plane from Go modules into the cache, once: etcd, the API server, the controller manager, the
# scheduler, kubectl and kwok; with --peer also the peer's kwok controller and its end-to-end suites.
# What is there at the wanted version stays. Needs Go, 6 GiB of disk and, the first time, 7 to 20 minutes.
# MILLWRIGHT_CACHE moves the cache, MILLWRIGHT_CONTROL_PLANE_CACHE this part of it; GOMODCACHE and GOCACHE share Go's with other builds.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/versions.sh"

peer=false
case "${1:-}" in
"") ;;
--peer) peer=true ;;
*)
    echo "build.sh: unknown argument \"$1\"; the only one is --peer" >&2
    exit 2
    ;;
esac

readonly WORK="$CACHE/wrap"
readonly BASE=(kube-apiserver kube-controller-manager kube-scheduler kubectl etcd kwok)
readonly PEER=(karpenter-kwok e2e-regression.test e2e-disruption.test e2e-performance.test)

say() { echo "control-plane: $*" >&2; }

fail() {
    say "$*"
    exit 1
}

# The stamp lets a machine without Go use binaries that another step put there.
stamp() {
    local peer_version=none
    $1 && peer_version=$PEER_VERSION
    echo "kubernetes=$KUBERNETES_VERSION etcd=$ETCD_VERSION kwok=$KWOK_VERSION peer=$peer_version"
}

all_there() {
    local stamp_file="$CACHE/base.stamp" name names=("${BASE[@]}")
    if $peer; then
        stamp_file="$CACHE/peer.stamp"
        names+=("${PEER[@]}")
    fi
    [[ -f "$stamp_file" && "$(<"$stamp_file")" == "$(stamp $peer)" ]] || return 1
    for name in "${names[@]}"; do
        [[ -x "$BIN/$name" ]] || return 1
    done
}

check_go() {
    local go
    go=$("$(dirname "${BASH_SOURCE[0]}")/../../../build/fetch/go.sh" "$GO_MIN") || exit 1
    PATH="$go:$PATH"
}

# The directory of a module's sources, downloaded when they are not there.
sources_of() {
    local answer directory
    answer=$(cd "$WORK" && go mod download -json "$1") || fail "cannot download $1: $answer"
    directory=$(sed -n 's/^[[:space:]]*"Dir": "\(.*\)",\{0,1\}$/\1/p' <<<"$answer")
    [[ -d "$directory" ]] || fail "go mod download $1 named no directory: $answer"
    echo "$directory"
}

# is_built NAME MODULE VERSION: a binary names the modules it was made of.
is_built() {
    [[ -x "$BIN/$1" ]] && go version -m "$BIN/$1" | grep -qE "^[[:space:]]+(dep|mod)[[:space:]]+$2[[:space:]]+v$3([[:space:]]|$)"
}

# compile MODULE VERSION LINKER-FLAGS NAME=PACKAGE…, in the current directory. One run of go builds all that are missing:
# it links one binary while it compiles the next. The rename at the end keeps half a binary out of sight.
compile() {
    local module=$1 version=$2 flags=$3 pair names=() packages=() verb=(build) began=$SECONDS parts="$BIN/part"
    shift 3
    for pair in "$@"; do
        if is_built "${pair%%=*}" "$module" "$version"; then
            say "have ${pair%%=*} $version"
        else
            names+=("${pair%%=*}")
            packages+=("${pair#*=}")
        fi
    done
    [[ ${#names[@]} -gt 0 ]] || return 0
    say "building ${names[*]} $version ..."
    rm -rf "$parts"
    mkdir -p "$parts"
    if [[ ${#names[@]} -eq 1 ]]; then
        [[ "${names[0]}" != *.test ]] || verb=(test -c)
        parts="$parts/${names[0]}"
    fi
    nice -n 5 go "${verb[@]}" -trimpath -ldflags="$flags" -o "$parts" "${packages[@]}" ||
        fail "cannot build ${names[*]} $version"
    mv -f "$BIN"/part/* "$BIN/"
    rmdir "$BIN/part"
    say "built ${names[*]} in $((SECONDS - began)) s"
}

# wrap NAME MODULE VERSION GO: a module of our own whose one requirement is MODULE, because `go install` refuses
# modules that replace others.
wrap() {
    local sources
    sources=$(sources_of "$2@v$3")
    mkdir -p "$WORK/$1"
    printf 'module %swrap\n\ngo %s\n\nrequire %s v%s\n' "$1" "$4" "$2" "$3" >"$WORK/$1/go.mod"
    if [[ -f "$sources/go.sum" ]]; then
        cat "$sources/go.sum" >"$WORK/$1/go.sum"
    fi
    echo "$sources"
}

# Kubernetes replaces its staging modules by directories that the module's archive lacks; each has a published twin.
wrap_kubernetes() {
    local sources directory="$WORK/k8s"
    sources=$(sources_of "k8s.io/kubernetes@v$KUBERNETES_VERSION")
    mkdir -p "$directory"
    {
        echo "module kubewrap"
        grep -E '^go ' "$sources/go.mod"
        echo "require k8s.io/kubernetes v$KUBERNETES_VERSION"
        echo "replace ("
        awk -v version="v0.${KUBERNETES_VERSION#*.}" '/=> \.\/staging/ {print "\t" $1 " => " $1 " " version}' "$sources/go.mod"
        echo ")"
    } >"$directory/go.mod"
    cat "$sources/go.sum" >"$directory/go.sum"
}

build_kubernetes() {
    local name package minor flags="-s -w" pairs=()
    minor=$(cut -d. -f2 <<<"$KUBERNETES_VERSION")
    for package in k8s.io/component-base/version k8s.io/client-go/pkg/version; do
        flags+=" -X $package.gitVersion=v$KUBERNETES_VERSION -X $package.gitMajor=${KUBERNETES_VERSION%%.*}"
        flags+=" -X $package.gitMinor=$minor -X $package.gitTreeState=clean"
        flags+=" -X $package.gitCommit=registry -X $package.buildDate=2026-01-01T00:00:00Z"
    done
    wrap_kubernetes
    cd "$WORK/k8s"
    for name in kube-apiserver kube-controller-manager kube-scheduler kubectl; do
        pairs+=("$name=k8s.io/kubernetes/cmd/$name")
    done
    compile k8s.io/kubernetes "$KUBERNETES_VERSION" "$flags" "${pairs[@]}"
}

build_etcd() {
    wrap etcd go.etcd.io/etcd/server/v3 "$ETCD_VERSION" 1.26.0 >/dev/null
    cd "$WORK/etcd"
    compile go.etcd.io/etcd/server/v3 "$ETCD_VERSION" "-s -w -X go.etcd.io/etcd/api/v3/version.GitSHA=registry" \
        etcd=go.etcd.io/etcd/server/v3
}

build_kwok() {
    wrap kwok sigs.k8s.io/kwok "$KWOK_VERSION" 1.26.0 >/dev/null
    cd "$WORK/kwok"
    compile sigs.k8s.io/kwok "$KWOK_VERSION" "-s -w" kwok=sigs.k8s.io/kwok/cmd/kwok
}

# The peer's stages and CRDs come along: its suites run on those, ours on our own.
build_peer() {
    local sources kwok_sources suite file module=sigs.k8s.io/karpenter
    sources=$(wrap karpenter $module "$PEER_VERSION" 1.26.9)
    kwok_sources=$(sources_of "sigs.k8s.io/kwok@v$KWOK_VERSION")
    cd "$WORK/karpenter"
    compile $module "$PEER_VERSION" "-s -w -X $module/pkg/operator.Version=$PEER_VERSION" karpenter-kwok=$module/kwok
    for suite in regression disruption performance; do
        compile $module "$PEER_VERSION" "-s -w" "e2e-$suite.test=$module/test/suites/$suite"
    done
    mkdir -p "$CACHE/stages-karpenter" "$CACHE/crds"
    # A stage of the peer's takes the place of kwok's of the same name.
    for file in "$kwok_sources"/kustomize/stage/node/{fast/node-initialize,heartbeat-with-lease/node-heartbeat-with-lease}.yaml \
        "$kwok_sources"/kustomize/stage/pod/fast/pod-{ready,complete,delete}.yaml "$sources"/hack/kwok/stages/*.yaml; do
        cat "$file" >"$CACHE/stages-karpenter/$(basename "$file")"
    done
    for file in "$sources"/kwok/charts/crds/*.yaml "$sources"/kwok/apis/crds/*.yaml; do
        cat "$file" >"$CACHE/crds/$(basename "$file")"
    done
}

mkdir -p "$BIN" "$WORK"
if all_there; then
    exit 0
fi
# Two builds at once would write the same files: the second waits, and then finds them.
command -v flock >/dev/null || fail "found no flock on the PATH; it is in the package util-linux"
exec 9>"$CACHE/build.lock"
if ! flock -n 9; then
    say "another build is running in $CACHE; waiting for it"
    flock 9
fi
if all_there; then
    exit 0
fi
check_go
export GOMODCACHE="${GOMODCACHE:-$CACHE/gomod}" GOCACHE="${GOCACHE:-$CACHE/gocache}"
# Nobody debugs these binaries, and the compiler may rather use memory than collect its garbage often.
export CGO_ENABLED=0 GOFLAGS="-buildvcs=false -mod=mod -gcflags=all=-dwarf=false" GOGC=400 GOTOOLCHAIN=local
say "building into $CACHE; the first time takes 7 to 20 minutes on two cores"
build_kubernetes
build_etcd
build_kwok
stamp false >"$CACHE/base.stamp"
if $peer; then
    export GOTOOLCHAIN=$GO_TOOLCHAIN
    build_peer
    stamp true >"$CACHE/peer.stamp"
fi
say "all built after $SECONDS s"
