#!/usr/bin/env bash
# Finds a JDK 25: `source` it and call find_jdk, which sets JAVA_HOME; or run it, and it prints the home.
# The launcher and the Makefile share it. It reads the `release` file of each candidate and starts no
# process, because it stands on the path of every command. Where there is no JDK, build/fetch/jdk.sh fetches one.

readonly JDK_WANTED=25

is_wanted_jdk() {
    local line
    [[ -n "$1" && -x "$1/bin/java" && -x "$1/bin/javac" && -r "$1/release" ]] || return 1
    while IFS= read -r line; do
        [[ "$line" =~ ^JAVA_VERSION=\"?${JDK_WANTED}([.+\"-]|$) ]] && return 0
    done <"$1/release"
    return 1
}

# A JDK that build/fetch/jdk.sh put into the cache names its place, and runs there alone.
is_fetched_jdk() {
    local place=
    [[ -r "$1/place" ]] && IFS= read -r place <"$1/place" && [[ "$place" == "$1" ]] && is_wanted_jdk "$1"
}

# The home of a `java` on the PATH, behind its symbolic links.
home_of_java_on_path() {
    local java target
    java=$(command -v java) || return 1
    while [[ -L "$java" ]]; do
        target=$(readlink "$java")
        [[ "$target" == /* ]] || target="$(dirname "$java")/$target"
        java="$target"
    done
    [[ "$java" == */bin/java ]] && printf '%s\n' "${java%/bin/java}"
}

find_jdk() {
    local candidate
    for candidate in "${JAVA_HOME:-}" "${JDK25_HOME:-}" "${JAVA_HOME_25_X64:-}" "${JAVA_HOME_25_ARM64:-}"; do
        if is_wanted_jdk "$candidate"; then
            export JAVA_HOME="$candidate"
            return 0
        fi
    done
    # Directories come before the PATH: looking at them starts no process.
    for candidate in \
        /usr/lib/jvm/* \
        /usr/java/* \
        /opt/* /opt/*/* \
        "$HOME"/.sdkman/candidates/java/* \
        "$HOME"/.jdks/* \
        "$HOME"/.local/share/mise/installs/java/* \
        "$HOME"/.asdf/installs/java/* \
        "$HOME"/.jenv/versions/* \
        /Library/Java/JavaVirtualMachines/*/Contents/Home \
        "$HOME"/Library/Java/JavaVirtualMachines/*/Contents/Home \
        /opt/homebrew/opt/openjdk*/libexec/openjdk.jdk/Contents/Home \
        /usr/local/opt/openjdk*/libexec/openjdk.jdk/Contents/Home; do
        if is_wanted_jdk "$candidate"; then
            export JAVA_HOME="$candidate"
            return 0
        fi
    done
    candidate=$(home_of_java_on_path || true)
    if is_wanted_jdk "$candidate"; then
        export JAVA_HOME="$candidate"
        return 0
    fi
    for candidate in "${MILLWRIGHT_CACHE:-$HOME/.cache/millwright}"/fetched/jdk/*; do
        if is_fetched_jdk "$candidate"; then
            export JAVA_HOME="$candidate"
            return 0
        fi
    done
    if candidate=$("$(dirname "${BASH_SOURCE[0]}")/fetch/jdk.sh") && is_wanted_jdk "$candidate"; then
        export JAVA_HOME="$candidate"
        return 0
    fi
    cat >&2 <<MESSAGE
millwright: looked for a JDK $JDK_WANTED in JAVA_HOME ("${JAVA_HOME:-}"), in the usual directories, on the PATH and in the cache.
JAVA_HOME or JDK25_HOME points at one that is elsewhere. Others install it so:
  SDKMAN   sdk install java 25-tem
  mise     mise use -g java@temurin-25
  macOS    brew install --cask temurin@25
  Linux    the package temurin-25-jdk, from https://adoptium.net/installation/linux/
MESSAGE
    return 1
}

if [[ "${BASH_SOURCE[0]}" == "$0" ]]; then
    set -euo pipefail
    find_jdk
    printf '%s\n' "$JAVA_HOME"
fi
