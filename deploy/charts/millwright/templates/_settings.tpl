{{- /* Settings in today's spelling: what an older chart called otherwise is found under its old name. */ -}}
{{- define "millwright.settings" -}}
{{- $settings := deepCopy .Values.settings -}}
{{- $old := $settings.aws | default dict -}}
{{- range $name := list "clusterName" "clusterEndpoint" "clusterCABundle" "isolatedVPC" "vmMemoryOverheadPercent" "reservedENIs" -}}
{{- if hasKey $old $name }}{{ $_ := set $settings $name (get $old $name) }}{{ end -}}
{{- end -}}
{{- if hasKey $old "interruptionQueueName" }}{{ $_ := set $settings "interruptionQueue" $old.interruptionQueueName }}{{ end -}}
{{- range $name, $value := $settings -}}
{{- if kindIs "string" $value }}{{ $_ := set $settings $name (tpl $value $) }}{{ end -}}
{{- end -}}
{{- toYaml (omit $settings "aws") -}}
{{- end -}}

{{- /* The level by its newest name that is given; LOGLEVEL and logConfig are what older guides call it. */ -}}
{{- define "millwright.logLevel" -}}
{{- $level := .Values.controller.logLevel | default .Values.logLevel -}}
{{- $logConfig := .Values.logConfig | default dict -}}
{{- if $logConfig.enabled -}}
{{- $levels := $logConfig.logLevel | default dict -}}
{{- $level = $levels.controller | default $levels.global | default $level -}}
{{- end -}}
{{- range .Values.controller.env -}}
{{- if and (eq .name "LOGLEVEL") .value }}{{ $level = .value }}{{ end -}}
{{- end -}}
{{- $level -}}
{{- end -}}

{{- define "millwright.logPaths" -}}
{{- $logConfig := .context.Values.logConfig | default dict -}}
{{- $paths := get .context.Values.controller .old | default .paths -}}
{{- if $logConfig.enabled }}{{ $paths = get $logConfig .old | default $paths }}{{ end -}}
{{- $paths | join "," -}}
{{- end -}}

{{- define "millwright.featureGates" -}}
{{- $gates := list -}}
{{- range $name := list "reservedCapacity" "spotToSpotConsolidation" "nodeRepair" "nodeOverlay" "staticCapacity" "capacityBuffer" -}}
{{- $gates = append $gates (printf "%s=%t" (title $name) (get $.Values.settings.featureGates $name | default false)) -}}
{{- end -}}
{{- range $name := list "terminateFirstDrift" "terminateFirstRepair" -}}
{{- if get $.Values.settings.featureGates $name }}{{ $gates = append $gates (printf "%s=true" (title $name)) }}{{ end -}}
{{- end -}}
{{- $gates | join "," -}}
{{- end -}}

{{- /* Whether a feature may be on: a dict of context and gate. What controller.env takes from elsewhere may say anything. */ -}}
{{- define "millwright.gate" -}}
{{- $gates := include "millwright.featureGates" .context -}}
{{- range .context.Values.controller.env -}}
{{- if eq .name "FEATURE_GATES" }}{{ $gates = .value | default "any" }}{{ end -}}
{{- end -}}
{{- if or (eq $gates "any") (contains (printf "%s=true" .gate) (nospace $gates)) }}yes{{ end -}}
{{- end -}}

{{- /*
Variables of the controller, as a list. A setting that is empty, false or zero has no variable, as in Karpenter's chart:
the operator's own default holds then. One that controller.env names is the reader's business alone.
*/ -}}
{{- define "millwright.env" -}}
{{- $settings := include "millwright.settings" . | fromYaml -}}
{{- $env := list
      (dict "name" "KUBERNETES_MIN_VERSION" "value" "1.19.0-0")
      (dict "name" "KARPENTER_SERVICE" "value" (include "millwright.fullname" .))
      (dict "name" "METRICS_PORT" "value" (.Values.controller.metrics.port | toString))
      (dict "name" "HEALTH_PROBE_PORT" "value" (.Values.controller.healthProbe.port | toString))
      (dict "name" "SYSTEM_NAMESPACE" "valueFrom" (dict "fieldRef" (dict "fieldPath" "metadata.namespace")))
      (dict "name" "CPU_REQUESTS" "valueFrom" (dict "resourceFieldRef" (dict "containerName" .Values.controller.containerName "divisor" "1m" "resource" "requests.cpu")))
      (dict "name" "MEMORY_LIMIT" "valueFrom" (dict "resourceFieldRef" (dict "containerName" .Values.controller.containerName "divisor" "0" "resource" "limits.memory")))
      (dict "name" "FEATURE_GATES" "value" (include "millwright.featureGates" .))
      (dict "name" "AWS_FEATURE_GATES" "value" (printf "NodeClassCEL=%t" (.Values.settings.awsFeatureGates.nodeClassCEL | default false))) -}}
{{- $optional := list
      (list "LOG_LEVEL" (include "millwright.logLevel" .))
      (list "LOG_OUTPUT_PATHS" (include "millwright.logPaths" (dict "context" . "paths" .Values.logOutputPaths "old" "outputPaths")))
      (list "LOG_ERROR_OUTPUT_PATHS" (include "millwright.logPaths" (dict "context" . "paths" .Values.logErrorOutputPaths "old" "errorOutputPaths")))
      (list "BATCH_MAX_DURATION" $settings.batchMaxDuration)
      (list "BATCH_IDLE_DURATION" $settings.batchIdleDuration)
      (list "PREFERENCE_POLICY" $settings.preferencePolicy)
      (list "MIN_VALUES_POLICY" $settings.minValuesPolicy)
      (list "CLUSTER_CA_BUNDLE" $settings.clusterCABundle)
      (list "CLUSTER_NAME" $settings.clusterName)
      (list "CLUSTER_ENDPOINT" $settings.clusterEndpoint)
      (list "ISOLATED_VPC" $settings.isolatedVPC)
      (list "EKS_CONTROL_PLANE" $settings.eksControlPlane)
      (list "VM_MEMORY_OVERHEAD_PERCENT" $settings.vmMemoryOverheadPercent)
      (list "INTERRUPTION_QUEUE" $settings.interruptionQueue)
      (list "ENABLE_ZONAL_SHIFT" $settings.enableZonalShift)
      (list "RESERVED_ENIS" $settings.reservedENIs)
      (list "IGNORE_DRA_REQUESTS" $settings.ignoreDRARequests)
      (list "DISABLE_CLUSTER_STATE_OBSERVABILITY" $settings.disableClusterStateObservability)
      (list "DISABLE_DRY_RUN" $settings.disableDryRun)
      (list "AMI_REFRESH_INTERVAL" $settings.amiRefreshInterval)
      (list "SUBNET_REFRESH_INTERVAL" $settings.subnetRefreshInterval)
      (list "DISABLE_WEBHOOK" (ternary "false" "" .Values.webhook.enabled))
      (list "WEBHOOK_PORT" (ternary .Values.webhook.port "" .Values.webhook.enabled))
      (list "MILLWRIGHT_PACKING" $settings.packing)
      (list "MILLWRIGHT_NODE_FEE_PER_HOUR" $settings.nodeFeePerHour)
      (list "MILLWRIGHT_CONSOLIDATION" $settings.consolidation)
      (list "MILLWRIGHT_STEER_PODS" $settings.steerPods)
      (list "MILLWRIGHT_REBALANCE_POLICY" $settings.rebalancePolicy)
      (list "MILLWRIGHT_DASHBOARD_PORT" (ternary .Values.dashboard.port "" (.Values.dashboard.enabled | default false)))
      (list "MILLWRIGHT_DASHBOARD_ADDRESS" (ternary "0.0.0.0" "" (and (.Values.dashboard.enabled | default false) (.Values.dashboard.service | default false))))
      (list "MILLWRIGHT_RECORD_DIR" $settings.recordDir)
      (list "MILLWRIGHT_RECORD_MAX_BYTES" $settings.recordMaxBytes)
      (list "MILLWRIGHT_DRY_RUN" $settings.dryRun)
      (list "SCHEDULER_CONFIG" $settings.schedulerConfig) -}}
{{- range $optional -}}
{{- if last . }}{{ $env = append $env (dict "name" (first .) "value" (last . | toString)) }}{{ end -}}
{{- end -}}
{{- $given := list -}}
{{- range .Values.controller.env }}{{ $given = append $given .name }}{{ end -}}
{{- $all := list -}}
{{- range $env -}}
{{- if not (has .name $given) }}{{ $all = append $all . }}{{ end -}}
{{- end -}}
{{- range .Values.controller.env }}{{ $all = append $all . }}{{ end -}}
{{- toYaml $all -}}
{{- end -}}
