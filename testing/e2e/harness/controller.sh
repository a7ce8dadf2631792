# shellcheck shell=bash
# `source` it with `root` set: puts the command under test into the array `controller`, from CONTROLLER or ours, and the
# directory of the CRDs it runs on into `definitions`, from DEFINITIONS or ours.
# shellcheck disable=SC2154,SC2206
controller=(${CONTROLLER:-$root/millwright run controllers})
definitions="${DEFINITIONS:-$root/kube/src/main/resources/dev/millwright/kube/crd}"
[[ "${controller[0]}" != ./* ]] || controller[0]="$root/${controller[0]}"
# What must be built is built before a clock runs.
[[ "${controller[0]}" != "$root/millwright" ]] || "$root/millwright" --version >/dev/null
