{{- /* Objects are named as the upstream provider names them. A dict of context and name. */ -}}
{{- define "addons.name" -}}
{{- printf "%s%s" .context.Values.namePrefix .name -}}
{{- end -}}

{{- define "addons.manager" -}}
{{- include "addons.name" (dict "context" . "name" "controller-manager") -}}
{{- end -}}

{{- define "addons.serviceAccountName" -}}
{{- if .Values.serviceAccount.create -}}
{{- default (include "addons.manager" .) .Values.serviceAccount.name -}}
{{- else -}}
{{- default "default" .Values.serviceAccount.name -}}
{{- end -}}
{{- end -}}

{{- define "addons.selectorLabels" -}}
control-plane: controller-manager
app.kubernetes.io/name: addons
app.kubernetes.io/instance: {{ include "addons.manager" . }}
{{- end -}}

{{- define "addons.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
app.kubernetes.io/name: addons
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- with .Values.additionalLabels }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- /* metadata of an object: a dict of context, name (without prefix) and, where wanted, namespace, labels, annotations. */ -}}
{{- define "addons.metadata" -}}
name: {{ include "addons.name" . }}
{{- with .namespace }}
namespace: {{ . }}
{{- end }}
labels:
  {{- include "addons.labels" .context | nindent 2 }}
  {{- with .labels }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- with merge (dict) (.annotations | default dict) .context.Values.additionalAnnotations }}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{- /* A version is tagged with a v before it; `latest` has none. */ -}}
{{- define "addons.image" -}}
{{- if not .image.repository -}}
{{- fail "image.repository is empty; name the image that you pushed, as in --set image.repository=ghcr.io/OWNER/NAME, or take the chart of a release, which names its own" -}}
{{- end -}}
{{- $tag := default (regexReplaceAll "^([0-9])" .version "v${1}") .image.tag -}}
{{- with .image.digest }}{{ $tag = printf "%s@%s" (regexReplaceAll "@.*" $tag "") . }}{{ end -}}
{{- printf "%s:%s" .image.repository $tag -}}
{{- end -}}

{{- define "addons.args" -}}
- run
- addons
- --leader-elect={{ .Values.leaderElection }}
- --health-addr=:{{ .Values.healthProbe.port }}
- --diagnostics-address=:{{ .Values.metrics.port }}
- --insecure-diagnostics={{ not .Values.metrics.secure }}
{{- if .Values.metrics.certificateSecret }}
- --diagnostics-cert-path=/certificates
{{- end }}
- --namespace={{ .Values.namespace }}
{{- with .Values.watchFilter }}
- --watch-filter={{ . }}
{{- end }}
{{- if .Values.allowCrossNamespaceReferences }}
- --allow-cross-namespace-references=true
{{- end }}
- --v={{ .Values.verbosity }}
- --helm-chart-proxy-concurrency={{ .Values.chartProxyConcurrency }}
- --helm-release-proxy-concurrency={{ .Values.releaseProxyConcurrency }}
- --sync-period={{ .Values.syncPeriod }}
- --kube-api-qps={{ .Values.kubeApi.qps }}
- --kube-api-burst={{ .Values.kubeApi.burst }}
- --helm-work-dir=/work
- --helm-memory-mib={{ .Values.helm.memoryMib }}
{{- range .Values.extraArgs }}
- {{ . | quote }}
{{- end }}
{{- end -}}

{{- define "addons.containerSecurity" -}}
allowPrivilegeEscalation: false
capabilities:
  drop:
    - ALL
privileged: false
readOnlyRootFilesystem: true
runAsGroup: 65532
runAsNonRoot: true
runAsUser: 65532
seccompProfile:
  type: RuntimeDefault
{{- end -}}

{{- /* Ports of the proxies that variables name, 80 and 443 where a URL names none. A list of variables. */ -}}
{{- define "addons.proxyPorts" -}}
{{- $ports := list -}}
{{- range . -}}
{{- if and (has (upper .name) (list "HTTP_PROXY" "HTTPS_PROXY")) .value -}}
{{- $port := regexFind ":[0-9]+/?$" .value | trimPrefix ":" | trimSuffix "/" -}}
{{- $ports = append $ports (default (ternary "443" "80" (hasPrefix "https:" .value)) $port | int) -}}
{{- end -}}
{{- end -}}
{{- toJson (without $ports 443 | uniq) -}}
{{- end -}}

{{- /* Where the manager may do what it does with objects that have a namespace: in all, or in the one it looks after. */ -}}
{{- define "addons.scope" -}}
kind: {{ empty .Values.namespace | ternary "ClusterRole" "Role" }}
namespace: {{ .Values.namespace | quote }}
{{- end -}}
