# The service account that may take the controller's role.
serviceAccount:
  create: true
  name: "${service_account}"

settings:
  clusterName: ${cluster_name}
  # Interruptions are heard of here before they happen.
  interruptionQueue: "${queue_name}"

controller:
  resources:
    requests:
      cpu: "500m"
      memory: 1Gi
    limits:
      cpu: 1
      memory: 1Gi

  # Nodes of the static group: the controller must not run on nodes that it may end.
  nodeSelector:
    workload-type: "system"

tolerations:
  - key: "workload-type"
    operator: "Equal"
    value: "system"
    effect: "NoSchedule"
