output "queue_name" {
  description = "Name of the interruption queue."
  value       = module.karpenter_infra.queue_name
}

output "node_iam_role_name" {
  description = "Name of the nodes' role."
  value       = module.karpenter_infra.node_iam_role_name
}

output "release" {
  description = "The controller's release."
  value       = module.karpenter_chart_and_crds.release
}
