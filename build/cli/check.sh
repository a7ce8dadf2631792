#!/usr/bin/env bash
# check.sh ARCHIVE VERSION: unpacks an archive of the command line for this machine and runs it where no Java is found: as
# kubectl's plug-in through a link, as krew makes one, and a plan of the example.
set -euo pipefail

here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
[[ $# == 2 ]] || {
    echo "check.sh: want ARCHIVE VERSION, found: $*" >&2
    exit 2
}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

tar -xzf "$1" -C "$scratch"
mkdir "$scratch/path"
ln -s "$scratch"/millwright-*/bin/kubectl-millwright "$scratch/path/kubectl-millwright"
# What the launcher needs of a system, and no more.
for tool in dirname readlink; do
    ln -s "$(command -v "$tool")" "$scratch/path/$tool"
done
run() { env -i PATH="$scratch/path" HOME="$scratch" kubectl-millwright "$@"; }

said=$(run version)
[[ "$said" == "millwright $2" ]] || {
    echo "check.sh: version says \"$said\", want \"millwright $2\"" >&2
    exit 1
}
run version -o wide
run simulate --quiet --packing first-fit -o json "$here/../../examples/shop.yaml" >"$scratch/plan.json"
grep -q '"pricePerHour"' "$scratch/plan.json"
for page in millwright.1 millwright-explain-pod.1; do
    test -s "$scratch"/millwright-*/share/man/man1/"$page"
done
for shell in bash zsh fish; do
    grep -q explain "$scratch"/millwright-*/share/completions/millwright."$shell"
done
echo "check.sh: ${1##*/} runs"
