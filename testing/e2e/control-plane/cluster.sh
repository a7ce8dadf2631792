#!/usr/bin/env bash
# cluster.sh DIRECTORY: runs a control plane in the foreground until its standard input ends, all on loopback.
# The one who started it holds the pipe, so that no component outlives its owner, however the owner ends.
# It says `ready` on standard output, then takes one command a line and answers `ok` or `failed`:
#   start|stop|kill|pause|resume COMPONENT, restart apiserver
# Components: etcd apiserver controller-manager scheduler kwok. DIRECTORY gets kubeconfig, pki, log and etcd's data.
# Environment, all optional:
#   COMPONENTS                 the ones to run, in order
#   PORT_BASE                  first of six ports; or each by its name: API_PORT ETCD_PORT ETCD_PEER_PORT
#                              CONTROLLER_MANAGER_PORT SCHEDULER_PORT KWOK_PORT
#   STAGES                     a directory of kwok Stages; ours when absent
#   SCHEDULER_CONFIG           a KubeSchedulerConfiguration in which @DIRECTORY@ is replaced
#   NODE_IP                    the address at which kwok serves as the kubelet of its nodes
#   APISERVER_FLAGS, CONTROLLER_MANAGER_FLAGS, KWOK_FLAGS   split into words
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
source "$here/versions.sh"

directory="${1:?cluster.sh: say the directory to run in}"
mkdir -p "$directory"/{pki,log}
directory="$(cd "$directory" && pwd)"
chmod 700 "$directory/pki"
cd "$directory"

base=${PORT_BASE:-16443}
api_port=${API_PORT:-$base}
etcd_port=${ETCD_PORT:-$((base + 1))}
etcd_peer_port=${ETCD_PEER_PORT:-$((base + 2))}
controller_manager_port=${CONTROLLER_MANAGER_PORT:-$((base + 3))}
scheduler_port=${SCHEDULER_PORT:-$((base + 4))}
kwok_port=${KWOK_PORT:-$((base + 5))}
read -ra components <<<"${COMPONENTS:-etcd apiserver controller-manager scheduler kwok}"
readonly READY_SECONDS_MAX=120
# The API server would wait for its watches, which end with it.
readonly STOP_SECONDS_MAX=3
declare -A pids=()

fail() {
    echo "control-plane: $*" >&2
    exit 1
}

# ---- certificates

# certify NAME SUBJECT EXTENSIONS
certify() {
    openssl ecparam -name prime256v1 -genkey -noout -out "pki/$1.key"
    openssl req -new -key "pki/$1.key" -subj "$2" -out "pki/$1.csr"
    openssl x509 -req -in "pki/$1.csr" -CA pki/ca.crt -CAkey pki/ca.key -CAcreateserial -days 3650 \
        -out "pki/$1.crt" -extfile <(printf '%s\n' "$3") 2>/dev/null
}

make_certificates() {
    [[ ! -s pki/ca.crt ]] || return 0
    local openssl
    openssl=$("$here/../../../build/fetch/openssl.sh") || exit 1
    PATH="$PATH:${openssl%/*}"
    openssl ecparam -name prime256v1 -genkey -noout -out pki/ca.key
    openssl req -x509 -new -key pki/ca.key -subj /CN=kube-ca -days 3650 -out pki/ca.crt 2>/dev/null \
        -addext basicConstraints=critical,CA:TRUE -addext keyUsage=critical,keyCertSign,cRLSign,digitalSignature
    openssl genrsa -out pki/service-account.key 2048 2>/dev/null
    openssl rsa -in pki/service-account.key -pubout -out pki/service-account.pub 2>/dev/null
    local names=IP:127.0.0.1,IP:10.96.0.1,DNS:localhost,DNS:kubernetes,DNS:kubernetes.default
    names+=,DNS:kubernetes.default.svc,DNS:kubernetes.default.svc.cluster.local
    certify apiserver /CN=kube-apiserver "subjectAltName=$names"$'\n'extendedKeyUsage=serverAuth
    certify admin /O=system:masters/CN=admin extendedKeyUsage=clientAuth
    certify controller-manager /CN=system:kube-controller-manager extendedKeyUsage=clientAuth
    certify scheduler /CN=system:kube-scheduler extendedKeyUsage=clientAuth
}

# write_kubeconfig USER FILE
write_kubeconfig() {
    cat >"$2" <<YAML
apiVersion: v1
kind: Config
clusters:
- name: local
  cluster:
    server: https://127.0.0.1:$api_port
    certificate-authority-data: $(base64 -w0 pki/ca.crt)
users:
- name: $1
  user:
    client-certificate-data: $(base64 -w0 "pki/$1.crt")
    client-key-data: $(base64 -w0 "pki/$1.key")
contexts:
- name: local
  context: {cluster: local, user: $1}
current-context: local
YAML
    chmod 600 "$2"
}

write_scheduler_config() {
    if [[ -n "${SCHEDULER_CONFIG:-}" ]]; then
        sed "s#@DIRECTORY@#$directory#g" "$SCHEDULER_CONFIG" >scheduler.yaml
        return
    fi
    cat >scheduler.yaml <<YAML
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
clientConnection: {kubeconfig: $directory/scheduler.kubeconfig, qps: 500, burst: 1000}
leaderElection: {leaderElect: false}
YAML
}

# ---- processes

# Each component leads a process group of its own, and a later start adds to its log.
launch() {
    local name=$1
    shift
    setsid "$@" >>"log/$name.log" 2>&1 </dev/null &
    pids[$name]=$!
}

is_alive() { [[ -n "${pids[$1]:-}" ]] && kill -0 "${pids[$1]}" 2>/dev/null; }

start_component() {
    is_alive "$1" && fail "$1 runs already"
    # shellcheck disable=SC2086
    case "$1" in
    etcd)
        # The data are thrown away, so no write waits for the disk.
        launch etcd "$BIN/etcd" --name e0 --data-dir "$directory/etcd" --unsafe-no-fsync --log-level warn \
            --listen-client-urls "http://127.0.0.1:$etcd_port" --advertise-client-urls "http://127.0.0.1:$etcd_port" \
            --listen-peer-urls "http://127.0.0.1:$etcd_peer_port" \
            --initial-advertise-peer-urls "http://127.0.0.1:$etcd_peer_port" \
            --initial-cluster "e0=http://127.0.0.1:$etcd_peer_port" --quota-backend-bytes 4294967296 \
            --auto-compaction-mode periodic --auto-compaction-retention 5m
        ;;
    apiserver)
        # Endpoints refuse a loopback address, hence no reconciler for the service `kubernetes`.
        launch apiserver "$BIN/kube-apiserver" --etcd-servers="http://127.0.0.1:$etcd_port" \
            --bind-address=127.0.0.1 --secure-port="$api_port" --advertise-address=127.0.0.1 \
            --endpoint-reconciler-type=none --service-cluster-ip-range=10.96.0.0/16 \
            --tls-cert-file=pki/apiserver.crt --tls-private-key-file=pki/apiserver.key --client-ca-file=pki/ca.crt \
            --service-account-key-file=pki/service-account.pub \
            --service-account-signing-key-file=pki/service-account.key \
            --service-account-issuer=https://kubernetes.default.svc \
            --requestheader-client-ca-file=pki/ca.crt --requestheader-allowed-names=front-proxy-client \
            --requestheader-username-headers=X-Remote-User --requestheader-group-headers=X-Remote-Group \
            --requestheader-extra-headers-prefix=X-Remote-Extra- \
            --authorization-mode=RBAC --allow-privileged=true --event-ttl=1h ${APISERVER_FLAGS:-}
        ;;
    controller-manager)
        launch controller-manager "$BIN/kube-controller-manager" --kubeconfig=controller-manager.kubeconfig \
            --authentication-kubeconfig=controller-manager.kubeconfig \
            --authorization-kubeconfig=controller-manager.kubeconfig \
            --bind-address=127.0.0.1 --secure-port="$controller_manager_port" --leader-elect=false \
            --use-service-account-credentials=true --service-account-private-key-file=pki/service-account.key \
            --root-ca-file=pki/ca.crt --cluster-signing-cert-file=pki/ca.crt --cluster-signing-key-file=pki/ca.key \
            --kube-api-qps=500 --kube-api-burst=1000 ${CONTROLLER_MANAGER_FLAGS:-}
        ;;
    scheduler)
        launch scheduler "$BIN/kube-scheduler" --config="$directory/scheduler.yaml" \
            --authentication-kubeconfig=scheduler.kubeconfig --authorization-kubeconfig=scheduler.kubeconfig \
            --bind-address=127.0.0.1 --secure-port="$scheduler_port"
        ;;
    kwok)
        local kubelet=()
        [[ -z "${NODE_IP:-}" ]] || kubelet=(--node-ip="$NODE_IP" --node-port="$kwok_port"
            --tls-cert-file=pki/apiserver.crt --tls-private-key-file=pki/apiserver.key)
        # Without leases of its own, kwok's nodes turn Unknown after 50 s.
        launch kwok "$BIN/kwok" --config="$directory/stages.yaml" --kubeconfig="$directory/kubeconfig" \
            --server-address="${NODE_IP:-127.0.0.1}:$kwok_port" "${kubelet[@]}" --manage-all-nodes=false \
            --node-lease-duration-seconds=40 --manage-nodes-with-annotation-selector=kwok.x-k8s.io/node=fake \
            ${KWOK_FLAGS:-}
        ;;
    *) fail "unknown component \"$1\"; there are etcd, apiserver, controller-manager, scheduler and kwok" ;;
    esac
}

# kubectl asks each component for its health, so that no other HTTP client is needed.
is_healthy() {
    local direct=("$BIN/kubectl" --kubeconfig=/dev/null --request-timeout=2s --insecure-skip-tls-verify
        --client-certificate=pki/admin.crt --client-key=pki/admin.key)
    case "$1" in
    etcd) "${direct[@]}" --server="http://127.0.0.1:$etcd_port" get --raw /health ;;
    apiserver) "$BIN/kubectl" --kubeconfig=kubeconfig --request-timeout=2s get --raw /readyz ;;
    controller-manager)
        "${direct[@]}" --server="https://127.0.0.1:$controller_manager_port" get --raw /healthz &&
            # Pods are refused until the namespace has its account.
            "$BIN/kubectl" --kubeconfig=kubeconfig --request-timeout=2s -n default get serviceaccount default
        ;;
    scheduler) "${direct[@]}" --server="https://127.0.0.1:$scheduler_port" get --raw /healthz ;;
    kwok) "${direct[@]}" --server="http://${NODE_IP:-127.0.0.1}:$kwok_port" get --raw /healthz ;;
    esac >/dev/null 2>&1 </dev/null
}

await() {
    local deadline=$((SECONDS + READY_SECONDS_MAX))
    until is_healthy "$1"; do
        is_alive "$1" || tell_log "$1" "ended before it was ready" || return 1
        ((SECONDS < deadline)) || tell_log "$1" "is not ready after $READY_SECONDS_MAX s" || return 1
        sleep 0.1
    done
}

tell_log() {
    echo "control-plane: $1 $2; the end of its log:" >&2
    tail -n 30 "log/$1.log" >&2
    return 1
}

signal() { is_alive "$2" && kill "-$1" -- "-${pids[$2]}" 2>/dev/null; }

end_component() {
    local deadline=$((SECONDS + STOP_SECONDS_MAX))
    # One that is paused takes no signal but SIGKILL until it goes on.
    signal CONT "$1" || return 0
    signal TERM "$1" || return 0
    while is_alive "$1" && ((SECONDS < deadline)); do sleep 0.05; done
    signal KILL "$1" || true
    wait "${pids[$1]}" 2>/dev/null || true
}

# Nothing of a cluster that ends is kept but its logs, so nobody is asked to end well.
end_all() {
    trap '' INT TERM HUP
    local name
    for name in "${!pids[@]}"; do signal KILL "$name" || true; done
    wait 2>/dev/null
    rm -rf "$directory/etcd"
}

obey() {
    case "$1" in
    start) start_component "$2" && await "$2" ;;
    stop) end_component "$2" ;;
    restart) end_component "$2" && start_component "$2" && await "$2" ;;
    kill) signal KILL "$2" && { wait "${pids[$2]}" 2>/dev/null || true; } ;;
    pause) signal STOP "$2" ;;
    resume) signal CONT "$2" ;;
    *) return 1 ;;
    esac
}

make_certificates
write_kubeconfig admin kubeconfig
write_kubeconfig controller-manager controller-manager.kubeconfig
write_kubeconfig scheduler scheduler.kubeconfig
write_scheduler_config
for file in "${STAGES:-$here/stages}"/*.yaml; do
    echo ---
    cat "$file"
    echo
done >stages.yaml

trap end_all EXIT
trap 'exit 143' INT TERM HUP
# The later ones find the API server by themselves, so they start together once it is ready.
for component in "${components[@]}"; do
    start_component "$component"
    if [[ "$component" == etcd || "$component" == apiserver ]]; then
        await "$component" || exit 1
    fi
done
for component in "${components[@]}"; do
    await "$component" || exit 1
done
echo ready
while read -r verb component; do
    if obey "$verb" "$component"; then echo ok; else echo failed; fi
done
