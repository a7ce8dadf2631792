#!/bin/sh
# Starts the command line by the Java of its own archive. Links to this file, as krew and Homebrew make them, are followed.
set -eu

self=$0
while [ -L "$self" ]; do
    target=$(readlink "$self")
    case $target in
    /*) self=$target ;;
    *) self=$(dirname "$self")/$target ;;
    esac
done
home=$(cd "$(dirname "$self")/.." && pwd -P)

more=
if [ "${1:-}" = run ]; then
    more="@$home/java/run.options"
fi

# MILLWRIGHT_JAVA_OPTIONS is split into words on purpose.
# shellcheck disable=SC2086
exec "$home/runtime/bin/java" -XX:+UseSerialGC -XX:+UseCompactObjectHeaders -Dslf4j.internal.verbosity=ERROR \
    ${more:+"$more"} ${MILLWRIGHT_JAVA_OPTIONS:-} -cp "$home/java/millwright-cli.jar" dev.millwright.cli.Main "$@"
