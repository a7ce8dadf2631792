{{- define "nodepool.metadata" -}}
name: {{ .Values.name }}
labels:
  helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
  app.kubernetes.io/instance: {{ .Release.Name }}
  app.kubernetes.io/managed-by: {{ .Release.Service }}
  {{- with .Values.additionalLabels }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end -}}

{{- define "nodepool.tags" -}}
{{- if .Values.discoveryTags -}}
{{- toYaml .Values.discoveryTags -}}
{{- else if .Values.clusterName -}}
karpenter.sh/discovery: {{ .Values.clusterName | quote }}
{{- else -}}
{{- fail (printf "EC2NodeClass %s: nobody can find subnets and security groups; give clusterName, for the tag karpenter.sh/discovery, or discoveryTags" .Values.name) -}}
{{- end -}}
{{- end -}}
