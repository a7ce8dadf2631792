{{- define "nodepools.metadata" -}}
name: {{ .name }}
labels:
  helm.sh/chart: {{ printf "%s-%s" .context.Chart.Name .context.Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
  app.kubernetes.io/instance: {{ .context.Release.Name }}
  app.kubernetes.io/managed-by: {{ .context.Release.Service }}
  {{- with merge (dict) (.labels | default dict) (.context.Values.additionalLabels | default dict) }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- with merge (dict) (.annotations | default dict) (.context.Values.additionalAnnotations | default dict) }}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{- /* Terms by ids, else by the tag of discovery: a dict of context, ids, what, value. */ -}}
{{- define "nodepools.terms" -}}
{{- if .ids -}}
{{- range .ids }}
- id: {{ . }}
{{- end }}
{{- else if .context.Values.clusterName }}
- tags:
    karpenter.sh/discovery: {{ .context.Values.clusterName | quote }}
{{- else -}}
{{- fail (printf "EC2NodeClass %s: no %s are named; give clusterName, to find them by the tag karpenter.sh/discovery, or %s" .name .what .value) -}}
{{- end -}}
{{- end -}}
