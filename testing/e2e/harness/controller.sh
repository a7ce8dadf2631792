# shellcheck shell=bash
# `source` it with `root` set: puts the command under test into the array `controller`, from CONTROLLER or ours.
# shellcheck disable=SC2154,SC2206
controller=(${CONTROLLER:-$root/millwright run controllers})
[[ "${controller[0]}" != ./* ]] || controller[0]="$root/${controller[0]}"
# What must be built is built before a clock runs.
[[ "${controller[0]}" != "$root/millwright" ]] || "$root/millwright" --version >/dev/null
