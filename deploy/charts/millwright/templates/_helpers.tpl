{{- /* Objects are named as Karpenter's chart names them, so that a release of it can be upgraded to this one. */ -}}
{{- define "millwright.name" -}}
{{- default "karpenter" .Values.nameOverride | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{- define "millwright.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 63 | trimSuffix "-" -}}
{{- else if contains (include "millwright.name" .) .Release.Name -}}
{{- .Release.Name | trunc 63 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name (include "millwright.name" .) | trunc 63 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "millwright.serviceAccountName" -}}
{{- if .Values.serviceAccount.create -}}
{{- default (include "millwright.fullname" .) .Values.serviceAccount.name -}}
{{- else -}}
{{- default "default" .Values.serviceAccount.name -}}
{{- end -}}
{{- end -}}

{{- define "millwright.selectorLabels" -}}
app.kubernetes.io/name: {{ include "millwright.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "millwright.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
{{ include "millwright.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- with .Values.additionalLabels }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- /* metadata of an object: a dict of context, name and, where wanted, namespace, labels, annotations. */ -}}
{{- define "millwright.metadata" -}}
name: {{ .name }}
{{- with .namespace }}
namespace: {{ . }}
{{- end }}
labels:
  {{- include "millwright.labels" .context | nindent 2 }}
  {{- with .labels }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- with merge (dict) (.annotations | default dict) .context.Values.additionalAnnotations }}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{- define "millwright.image" -}}
{{- $image := .Values.controller.image -}}
{{- printf "%s:%s" $image.repository (default (printf "v%s" .Chart.AppVersion) $image.tag) -}}
{{- with $image.digest }}@{{ . }}{{ end -}}
{{- end -}}

{{- define "millwright.nodeSelector" -}}
{{- $old := .Values.controller.nodeSelector | default dict -}}
{{- with merge (dict) $old (.Values.nodeSelector | default dict) }}
{{- toYaml . }}
{{- end }}
{{- end -}}

{{- /* A term between pods without a selector means the pods of this chart. */ -}}
{{- define "millwright.affinity" -}}
{{- $selector := dict "matchLabels" (include "millwright.selectorLabels" . | fromYaml) -}}
{{- $affinity := deepCopy (.Values.affinity | default dict) -}}
{{- range $kind := list "podAffinity" "podAntiAffinity" -}}
{{- with get $affinity $kind -}}
{{- range .requiredDuringSchedulingIgnoredDuringExecution -}}
{{- if not .labelSelector }}{{ $_ := set . "labelSelector" $selector }}{{ end -}}
{{- end -}}
{{- range .preferredDuringSchedulingIgnoredDuringExecution -}}
{{- with .podAffinityTerm -}}
{{- if not .labelSelector }}{{ $_ := set . "labelSelector" $selector }}{{ end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- with $affinity }}
{{- toYaml . }}
{{- end }}
{{- end -}}

{{- define "millwright.spread" -}}
{{- $selector := dict "matchLabels" (include "millwright.selectorLabels" . | fromYaml) -}}
{{- $spread := list -}}
{{- range .Values.topologySpreadConstraints -}}
{{- $constraint := deepCopy . -}}
{{- if not $constraint.labelSelector }}{{ $_ := set $constraint "labelSelector" $selector }}{{ end -}}
{{- $spread = append $spread $constraint -}}
{{- end -}}
{{- with $spread }}
{{- toYaml . }}
{{- end }}
{{- end -}}

{{- /* What is fixed, and what may be added. */ -}}
{{- define "millwright.containerSecurity" -}}
allowPrivilegeEscalation: false
capabilities:
  drop:
    - ALL
privileged: false
readOnlyRootFilesystem: true
runAsGroup: 65532
runAsNonRoot: true
runAsUser: 65532
{{- range $name := list "appArmorProfile" "seLinuxOptions" "seccompProfile" }}
{{- with get $.Values.controller.securityContext $name }}
{{ $name }}:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
{{- end -}}

{{- define "millwright.hasTmp" -}}
{{- range .Values.controller.extraVolumeMounts }}{{ if eq (trimSuffix "/" .mountPath) "/tmp" }}yes{{ end }}{{ end -}}
{{- end -}}

{{- /* Whole or not at all: half of ours beside half of the reader's could be a request above its limit. */ -}}
{{- define "millwright.resources" -}}
{{- with .Values.controller.resources -}}
{{- toYaml . }}
{{- else -}}
requests:
  cpu: 250m
  memory: 512Mi
limits:
  memory: 1Gi
{{- end }}
{{- end -}}

{{- /* Ports of the proxies that variables name, 80 and 443 where a URL names none. A list of variables. */ -}}
{{- define "millwright.proxyPorts" -}}
{{- $ports := list -}}
{{- range . -}}
{{- if and (has (upper .name) (list "HTTP_PROXY" "HTTPS_PROXY")) .value -}}
{{- $port := regexFind ":[0-9]+/?$" .value | trimPrefix ":" | trimSuffix "/" -}}
{{- $ports = append $ports (default (ternary "443" "80" (hasPrefix "https:" .value)) $port | int) -}}
{{- end -}}
{{- end -}}
{{- toJson (without $ports 443 | uniq) -}}
{{- end -}}
