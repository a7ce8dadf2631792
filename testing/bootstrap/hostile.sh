#!/usr/bin/env bash
# Runs the tests where one that does not set what it needs breaks: in a clone of the last commit, with the settings named.
#   hostile.sh [SETTING...] [-- COMMAND...]   all settings that the machine allows, and `make check`, when none is said
#   background  as `nohup COMMAND &`: SIGINT and SIGHUP are ignored, and there is no terminal and no standard input
#   locale      Turkish letters, where the capital of `i` is not `I`; a time zone of 12:45 before UTC; umask 077
#   user        a user without root, with a home and a name of its own; needs root
#   busy        as many endless loops beside it as there are processors
# All that are named hold at once. The caches of this user serve it; what it writes there is thrown away (as root; the
# caches are used as they are otherwise).
#   KEEP=1      leaves the clone, and says where it is
# Ends as the command does.
set -euo pipefail
repository="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"

readonly USER_NAME=builder
readonly USER_ID=20001
readonly TIME_ZONE=Pacific/Chatham
readonly LOCALE=tr_TR.UTF-8

say() { echo "hostile: $*" >&2; }

is_root() { [[ "$(id -u)" == 0 ]]; }

settings=()
command=()
while (($# > 0)); do
    case "$1" in
    background | locale | user | busy) settings+=("$1") ;;
    --)
        shift
        command=("$@")
        break
        ;;
    *)
        say "unknown setting \"$1\"; there are background, locale, user and busy, and the command comes after --"
        exit 2
        ;;
    esac
    shift
done
((${#command[@]} > 0)) || command=(make check)
if ((${#settings[@]} == 0)); then
    settings=(background locale busy)
    ! is_root || settings+=(user)
fi
holds() { [[ " ${settings[*]} " == *" $1 "* ]]; }
if holds user && ! is_root; then
    say "must be root to become another user; leave out \"user\": this one is without root already"
    exit 2
fi

# Mounts of its own, which end with it.
if is_root && [[ -z "${HOSTILE_INSIDE:-}" ]]; then
    HOSTILE_INSIDE=1 exec unshare --mount --propagation private "${BASH_SOURCE[0]}" "${settings[@]}" -- "${command[@]}"
fi

work=$(mktemp -d /tmp/hostile.XXXXXX)
loops=()
end() {
    ((${#loops[@]} == 0)) || kill "${loops[@]}" 2>/dev/null || true
    if [[ -n "${KEEP:-}" ]]; then
        say "left in $work"
    else
        ! is_root || umount --recursive --quiet "$work"/home/.m2 "$work"/home/.cache/millwright 2>/dev/null || true
        chmod -R u+w "$work" 2>/dev/null || true
        rm -rf "$work"
    fi
}
trap end EXIT
chmod 755 "$work"

# share FROM TO: what is under FROM can be read and written at TO; FROM stays as it is.
share() {
    local name
    name=$(basename "$2")
    mkdir -p "$1" "$2" "$work/layers/$name"/{upper,work}
    mount -t overlay overlay -o "lowerdir=$1,upperdir=$work/layers/$name/upper,workdir=$work/layers/$name/work" "$2"
    # Folders alone: files are replaced, not written to, but for locks.
    find "$2" -xdev \( -name gomod -o -name gocache \) -prune -o \( -type d -o -name '*lock*' -o -name '*.tsv' \) -print0 |
        xargs -0 chown "$owner:$owner"
}

home="$HOME"
owner=0
environment=()
wrapped=("${command[@]}")
if is_root; then
    home="$work/home"
    ! holds user || owner=$USER_ID
    mkdir -p "$home"
    share "$HOME/.m2" "$home/.m2"
    share "${MILLWRIGHT_CACHE:-$HOME/.cache/millwright}" "$home/.cache/millwright"
    environment+=("HOME=$home")
fi
# The clone is made by the strict umask too: its files are for this user alone.
! holds locale || umask 077
git clone --quiet "file://$repository" "$work/clone"
if is_root; then
    chown "$owner:$owner" "$home" "$home/.cache"
    chown -R "$owner:$owner" "$work/clone"
fi

if holds locale; then
    # A locale that is not there would quietly be C.
    mkdir -p "$work/locales"
    localedef --force --inputfile=tr_TR --charmap=UTF-8 "$work/locales/$LOCALE" ||
        [[ -s "$work/locales/$LOCALE/LC_CTYPE" ]] || {
        say "could not make the locale $LOCALE; type: sudo apt-get install locales"
        exit 1
    }
    chmod -R a+rX "$work/locales"
    environment+=("LOCPATH=$work/locales" "LC_ALL=$LOCALE" "LANG=$LOCALE" "LANGUAGE=tr" "TZ=$TIME_ZONE")
fi
if holds user; then
    {
        cat /etc/passwd
        echo "$USER_NAME:x:$USER_ID:$USER_ID::$home:/bin/bash"
    } >"$work/passwd"
    {
        cat /etc/group
        echo "$USER_NAME:x:$USER_ID:"
    } >"$work/group"
    chmod 644 "$work/passwd" "$work/group"
    mount --bind "$work/passwd" /etc/passwd
    mount --bind "$work/group" /etc/group
    environment+=("USER=$USER_NAME" "LOGNAME=$USER_NAME")
    wrapped=(setpriv --reuid="$USER_ID" --regid="$USER_ID" --clear-groups --no-new-privs "${wrapped[@]}")
fi
if holds busy; then
    for ((each = 0; each < $(nproc); each++)); do
        (while :; do :; done) &
        loops+=($!)
    done
fi

cd "$work/clone"
say "${settings[*]}: ${command[*]}"
began=$SECONDS
status=0
run=(env "${environment[@]}" "${wrapped[@]}")
if is_root; then
    # The home has a cache of its own.
    run=(env -u MILLWRIGHT_CACHE -u HOSTILE_INSIDE "${run[@]:1}")
fi
if holds background; then
    # Started in the background by a shell without job control, a command ignores SIGINT, and so do its children.
    nohup "${run[@]}" </dev/null >"$work/log" 2>&1 &
    wait $! || status=$?
    cat "$work/log"
else
    "${run[@]}" || status=$?
fi
say "ended with $status after $((SECONDS - began)) s"
exit "$status"
