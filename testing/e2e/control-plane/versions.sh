# shellcheck shell=bash
# What the control plane is made of, and where its binaries lie. `source` it.
# A version here is one whose module and whose dependencies all resolve; raise one at a time.
# shellcheck disable=SC2034
readonly KUBERNETES_VERSION=1.35.4
readonly ETCD_VERSION=3.6.16
readonly KWOK_VERSION=0.8.0
readonly PEER_VERSION=1.15.0

readonly GO_MIN=1.26
# The peer wants a newer patch release than its language version says; Go downloads it as a module.
readonly GO_TOOLCHAIN=go1.26.10

readonly CACHE="${MILLWRIGHT_CONTROL_PLANE_CACHE:-${MILLWRIGHT_CACHE:-$HOME/.cache/millwright}/control-plane}"
readonly BIN="$CACHE/bin"
