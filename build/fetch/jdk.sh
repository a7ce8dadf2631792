#!/usr/bin/env bash
# Prints the home of a JDK 25 in the cache, which is fetched when it is not there: on Linux Debian's, by the image's
# lock of packages; elsewhere, and where Debian's cannot be had, Temurin. build/find-jdk.sh calls it when it finds none.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
source "$here/common.sh"
source "$here/debian.sh"

readonly TEMURIN_VERSION=25.0.4.1+1
readonly TEMURIN_URL=https://github.com/adoptium/temurin25-binaries/releases/download
# A JRE of Debian's has all modules of a JDK, the compiler too. What it lacks is the programs that start them, and the
# signatures that `javac --release` reads: 350 MB more, mostly symbols for debuggers, which are spared so.
readonly JDK_PROGRAMS=(
    jar=jdk.jartool/sun.tools.jar.Main
    javac=jdk.compiler/com.sun.tools.javac.Main
    javap=jdk.jdeps/com.sun.tools.javap.Main
    jcmd=jdk.jcmd/sun.tools.jcmd.JCmd
    jdeps=jdk.jdeps/com.sun.tools.jdeps.Main
    jfr=jdk.jfr/jdk.jfr.internal.tool.Main
    jlink=jdk.jlink/jdk.tools.jlink.internal.Main
    jstack=jdk.jcmd/sun.tools.jstack.JStack
)

temurin_name() {
    local version=${TEMURIN_VERSION//+/_}
    echo "OpenJDK25U-jdk_$1_hotspot_$version.tar.gz"
}

# The name of Temurin's build for this machine, and its digest.
temurin() {
    case "$(uname -s) $(uname -m)" in
    "Linux x86_64") echo "$(temurin_name x64_linux) dbb698396d478e7fa2b1e50f4103324b2a99b90569ee27c33f2261f9215cf41e" ;;
    "Linux aarch64") echo "$(temurin_name aarch64_linux) 69df11a02cfa3ef7d7ca645e03edce6778ec090e100f6ae2b42097865730ac52" ;;
    "Darwin x86_64") echo "$(temurin_name x64_mac) e6229d9504f7922053ab31821b9e6bee8761daf7b026a3476d1a027563009880" ;;
    "Darwin arm64") echo "$(temurin_name aarch64_mac) 61979887f7506a24a57439ff99adb8b3a7fc89977d9cfe3b8984f58a981b7b9d" ;;
    *) return 1 ;;
    esac
}

# integer_at FILE OFFSET BYTES, in the order of an ELF file's own bytes.
integer_at() {
    local bytes byte value=0
    read -ra bytes < <(od -An -v -tu1 -j "$2" -N "$3" "$1" | tr '\n' ' ')
    if [[ "$(od -An -tu1 -j 5 -N 1 "$1" | tr -d ' ')" == 1 ]]; then
        for ((byte = ${#bytes[@]} - 1; byte >= 0; byte--)); do value=$((value * 256 + bytes[byte])); done
    else
        for ((byte = 0; byte < ${#bytes[@]}; byte++)); do value=$((value * 256 + bytes[byte])); done
    fi
    echo "$value"
}

# put_integer FILE OFFSET VALUE: eight bytes.
put_integer() {
    local shift shifts=(56 48 40 32 24 16 8 0) text=""
    [[ "$(od -An -tu1 -j 5 -N 1 "$1" | tr -d ' ')" != 1 ]] || shifts=(0 8 16 24 32 40 48 56)
    for shift in "${shifts[@]}"; do
        text+=$(printf '\\x%02x' $(($3 >> shift & 255)))
    done
    # shellcheck disable=SC2059
    printf "$text" | dd of="$1" bs=1 seek="$2" conv=notrunc status=none
}

# use_own_libraries PROGRAM LOADER: an ELF program that LOADER starts, and for which it looks for libraries first where
# the program says, on behalf of all libraries that are loaded later too. This is patchelf's work, without patchelf.
use_own_libraries() {
    local program=$1 loader=$2 at entries entry type offset size tag
    at=$(integer_at "$program" 32 8)
    entries=$(integer_at "$program" 56 2)
    for ((entry = 0; entry < entries; entry++, at += 56)); do
        type=$(integer_at "$program" "$at" 4)
        if ((type == 3)); then # PT_INTERP: the name at the file's end takes the place of the one within
            offset=$(wc -c <"$program")
            printf '%s\0' "$loader" >>"$program"
            put_integer "$program" $((at + 8)) $((offset))
            put_integer "$program" $((at + 32)) $((${#loader} + 1))
        elif ((type == 2)); then # PT_DYNAMIC
            offset=$(integer_at "$program" $((at + 8)) 8)
            size=$(integer_at "$program" $((at + 32)) 8)
            for ((tag = offset; tag < offset + size; tag += 16)); do
                # DT_RUNPATH becomes DT_RPATH.
                [[ "$(integer_at "$program" "$tag" 8)" != 29 ]] || put_integer "$program" "$tag" 15
            done
        fi
    done
}

# Debian's JRE from its package's places into one directory.
fill_from_debian() {
    local partial=$1 home=$2 root="$1/root" loader link program
    mkdir "$root"
    unpack_debian "$root" openjdk-25-jre-headless "${DEBIAN_LIBC[@]}" || return 1
    # Links lead into /etc, where nothing of it is.
    while IFS= read -r link; do
        program="$root$(readlink "$link")"
        rm "$link"
        [[ ! -f "$program" ]] || cp "$program" "$link" || return 1
    done < <(find "$root"/usr/lib/jvm/java-25-openjdk-* -type l -lname '/*')
    mv "$root"/usr/lib/jvm/java-25-openjdk-*/* "$partial" || return 1
    loader=$(loader_of "$root") || return 1
    cp "$loader" "${loader%/*}"/lib{c,m,dl,rt,pthread,resolv,util}.so.? "${loader%/*}"/lib{nss_dns,nss_files}.so.? \
        "$partial/lib" || return 1
    for program in gcc_s stdc++ z; do
        cp "$(find "$root"/usr/lib -name "lib$program.so.?" | head -1)" "$partial/lib/" || return 1
    done
    rm -rf "$root"
    loader=${loader##*/}
    for program in "$partial"/bin/*; do
        use_own_libraries "$program" "$home/lib/$loader" || return 1
    done
    for program in jspawnhelper jexec; do
        # These say nothing of libraries, and what they start must not inherit ours.
        mv "$partial/lib/$program" "$partial/lib/$program.elf"
        printf '#!/bin/sh\nexec "%s" --library-path "%s" "%s" "$@"\n' \
            "$home/lib/$loader" "$home/lib" "$home/lib/$program.elf" >"$partial/lib/$program"
        chmod +x "$partial/lib/$program"
    done
    for program in "${JDK_PROGRAMS[@]}"; do
        printf '#!/bin/sh\nexec "%s" -m %s "$@"\n' "$home/bin/java" "${program#*=}" >"$partial/bin/${program%%=*}"
        chmod +x "$partial/bin/${program%%=*}"
    done
    local java=("$partial/lib/$loader" --library-path "$partial/lib" "$partial/bin/java" -XX:+UseSerialGC)
    "${java[@]}" "$here/Signatures.java" "$partial/lib/ct.sym" || return 1
    trust "$partial/lib/security/cacerts" "${java[@]}"
}

fill_from_temurin() {
    local name digest home
    read -r name digest < <(temurin)
    download "$1/$name" "$digest" "$TEMURIN_URL/jdk-${TEMURIN_VERSION//+/%2B}/$name" || return 1
    tar -xzf "$1/$name" -C "$1" || return 1
    rm -f "$1/$name"
    home="$1/jdk-$TEMURIN_VERSION"
    [[ ! -d "$home/Contents/Home" ]] || home="$home/Contents/Home"
    mv "$home"/* "$1" && rm -rf "${1:?}/jdk-$TEMURIN_VERSION"
}

# trust FILE JAVA...: a store of the authorities that this system trusts, so that what curl reaches, Maven reaches.
trust() {
    local file=$1 bundle
    shift
    for bundle in "${SSL_CERT_FILE:-}" "${CURL_CA_BUNDLE:-}" /etc/ssl/certs/ca-certificates.crt \
        /etc/pki/tls/certs/ca-bundle.crt /etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem /etc/ssl/ca-bundle.pem \
        /etc/ssl/cert.pem; do
        if [[ -r "$bundle" ]]; then
            "$@" "$here/Truststore.java" "$bundle" "$file"
            return
        fi
    done
    say "found no certificates of authorities; type: $(install_command ca-certificates), or name a PEM file by SSL_CERT_FILE"
    return 1
}

# jdk NAME FILLER WORDS: the home named NAME, made by FILLER when it is not there.
jdk() {
    local home="$FETCHED/jdk/$1"
    if [[ ! -d "$home" ]]; then
        say "found no JDK 25; fetching $3 into $home (MILLWRIGHT_FETCH=off forbids it)"
        # In a process of its own, so that there is another way when this one ends.
        (make_once "$home" finish "$2") || return 1
    fi
    echo "$home"
}

# A home that was moved would not start: find-jdk.sh compares its place with this.
finish() {
    "$3" "$1" "$2" || return 1
    echo "$2" >"$1/place"
}

main() {
    local debian command
    command="$(install_command openjdk-25-jdk-headless java-25-openjdk-devel openjdk25 "--cask temurin@25"), or see https://adoptium.net/installation"
    may_fetch "JDK 25" "$command"
    if can_unpack_debian; then
        debian=$(debian_version openjdk-25-jre-headless)
        ! jdk "debian-$debian" fill_from_debian "Debian's OpenJDK (60 MB)" || return 0
        say "Debian's OpenJDK cannot be had"
    fi
    temurin >/dev/null ||
        fail "there is no JDK to fetch for $(uname -s) on $(uname -m); see https://adoptium.net/installation and set JAVA_HOME"
    jdk "temurin-$TEMURIN_VERSION" fill_from_temurin "Eclipse Temurin (140 MB)" ||
        fail "found no JDK 25, and cannot fetch one; type: $command"
}

main
