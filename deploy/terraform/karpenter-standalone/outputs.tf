output "release" {
  description = "The controller's release: name, namespace, chart, version."
  value = {
    name      = helm_release.karpenter.name
    namespace = helm_release.karpenter.namespace
    chart     = helm_release.karpenter.chart
    version   = helm_release.karpenter.version
  }
}

output "iam_role_arn" {
  description = "ARN of the controller's role."
  value       = module.infra.iam_role_arn
}

output "node_iam_role_name" {
  description = "Name of the nodes' role, for `role` of an EC2NodeClass."
  value       = module.infra.node_iam_role_name
}

output "instance_profile_name" {
  description = "Name of the nodes' instance profile, for `instanceProfile` of an EC2NodeClass."
  value       = module.infra.instance_profile_name
}

output "queue_name" {
  description = "Name of the interruption queue."
  value       = module.infra.queue_name
}
