{{- /* Objects are named as CAPT names them. A dict of context and name. */ -}}
{{- define "capt.name" -}}
{{- printf "%s%s%s" .context.Values.namePrefix .name .context.Values.nameSuffix -}}
{{- end -}}

{{- define "capt.manager" -}}
{{- include "capt.name" (dict "context" . "name" "controller-manager") -}}
{{- end -}}

{{- define "capt.serviceAccountName" -}}
{{- if .Values.serviceAccount.create -}}
{{- default (include "capt.manager" .) .Values.serviceAccount.name -}}
{{- else -}}
{{- default "default" .Values.serviceAccount.name -}}
{{- end -}}
{{- end -}}

{{- define "capt.selectorLabels" -}}
control-plane: controller-manager
app.kubernetes.io/name: capt
app.kubernetes.io/instance: {{ include "capt.manager" . }}
{{- end -}}

{{- define "capt.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
app.kubernetes.io/name: capt
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- with .Values.additionalLabels }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- /* metadata of an object: a dict of context, name (CAPT's, without prefix) and, where wanted, namespace, labels, annotations. */ -}}
{{- define "capt.metadata" -}}
name: {{ include "capt.name" . }}
{{- with .namespace }}
namespace: {{ . }}
{{- end }}
labels:
  {{- include "capt.labels" .context | nindent 2 }}
  {{- with .labels }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- with merge (dict) (.annotations | default dict) .context.Values.additionalAnnotations }}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{- /* A version is tagged with a v before it; `latest` has none. */ -}}
{{- define "capt.image" -}}
{{- if not .image.repository -}}
{{- fail "image.repository is empty; name the image that you pushed, as in --set image.repository=ghcr.io/OWNER/NAME, or take the chart of a release, which names its own" -}}
{{- end -}}
{{- $tag := default (regexReplaceAll "^([0-9])" .version "v${1}") .image.tag -}}
{{- with .image.digest }}{{ $tag = printf "%s@%s" (regexReplaceAll "@.*" $tag "") . }}{{ end -}}
{{- printf "%s:%s" .image.repository $tag -}}
{{- end -}}

{{- /* Whether a half runs: a dict of context and half. Prints something, or nothing. */ -}}
{{- define "capt.has" -}}
{{- if or (not .context.Values.controllers) (has .half .context.Values.controllers) }}yes{{ end -}}
{{- end -}}

{{- /* Terraform runs where the infrastructure half does. */ -}}
{{- define "capt.runsTerraform" -}}
{{- include "capt.has" (dict "context" . "half" "infrastructure") -}}
{{- end -}}

{{- define "capt.args" -}}
- run
- capi
{{- range .Values.controllers }}
- --enable-controller={{ . }}
{{- end }}
- --leader-elect={{ .Values.leaderElection }}
- --health-probe-bind-address=:{{ .Values.healthProbe.port }}
- --metrics-bind-address=:{{ .Values.metrics.port }}
{{- if not .Values.metrics.secure }}
- --metrics-secure=false
{{- end }}
{{- if .Values.metrics.certificateSecret }}
- --metrics-cert-path=/certificates
{{- end }}
- --namespace={{ .Values.namespace }}
{{- with .Values.watchFilter }}
- --watch-filter={{ . }}
{{- end }}
{{- if .Values.allowCrossNamespaceReferences }}
- --allow-cross-namespace-references=true
{{- end }}
- --zap-log-level={{ .Values.logLevel }}
- --concurrency={{ .Values.concurrency }}
{{- if include "capt.runsTerraform" . }}
- --terraform-runner=/runner/socket
- --terraform-timeout={{ .Values.terraform.timeout }}
- --terraform-poll-interval={{ .Values.terraform.pollInterval }}
- --terraform-runs-max={{ .Values.terraform.runsMax }}
{{- if .Values.terraform.lendManagerCredentials }}
- --lend-manager-credentials=true
{{- end }}
{{- end }}
{{- range .Values.extraArgs }}
- {{ . | quote }}
{{- end }}
{{- end -}}

{{- /* Terraform runs what tenants write: another user than the manager's, in its group, which the socket is for. */ -}}
{{- define "capt.runnerSecurity" -}}
{{- include "capt.containerSecurity" . | replace "runAsUser: 65532" "runAsUser: 65533" -}}
{{- end -}}

{{- define "capt.containerSecurity" -}}
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
{{- define "capt.proxyPorts" -}}
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
{{- define "capt.scope" -}}
kind: {{ empty .Values.namespace | ternary "ClusterRole" "Role" }}
namespace: {{ .Values.namespace | quote }}
{{- end -}}
