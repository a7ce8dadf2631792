output "iam_role_name" {
  description = "Name of the controller's role."
  value       = aws_iam_role.controller.name
}

output "iam_role_arn" {
  description = "ARN of the controller's role."
  value       = aws_iam_role.controller.arn
}

output "service_account_annotations" {
  description = "What the chart's `serviceAccount.annotations` must be: the controller's role, if it is taken by a web identity."
  value       = var.oidc_provider_arn == null ? {} : { "eks.amazonaws.com/role-arn" = aws_iam_role.controller.arn }

  # Who uses it waits for all of these, and goes before them: a controller that drains nodes needs its permissions.
  depends_on = [
    aws_iam_role_policy_attachment.controller,
    aws_iam_role_policy_attachment.node,
    aws_eks_pod_identity_association.controller,
    aws_eks_access_entry.node,
    aws_iam_instance_profile.node,
    aws_cloudwatch_event_target.this,
  ]
}

output "namespace" {
  description = "Namespace of the service account that may take the controller's role."
  value       = var.namespace
}

output "service_account" {
  description = "Name of the service account that may take the controller's role."
  value       = var.service_account
}

output "policy_arns" {
  description = "ARNs of the controller's policies, by short name."
  value       = module.policies.policy_arns
}

output "policy_documents" {
  description = "The controller's policies as JSON, by short name."
  value       = module.policies.documents
}

output "node_iam_role_name" {
  description = "Name of the nodes' role, for `role` of an EC2NodeClass."
  value       = var.create_node_iam_role ? aws_iam_role.node[0].name : var.node_iam_role_name

  # Who uses it waits for all of these, and goes before them: a controller that drains nodes needs its permissions.
  depends_on = [
    aws_iam_role_policy_attachment.controller,
    aws_iam_role_policy_attachment.node,
    aws_eks_pod_identity_association.controller,
    aws_eks_access_entry.node,
    aws_iam_instance_profile.node,
    aws_cloudwatch_event_target.this,
  ]
}

output "node_iam_role_arn" {
  description = "ARN of the nodes' role."
  value       = local.node_role_arn
}

output "node_access_entry_arn" {
  description = "ARN of the nodes' access entry, or null."
  value       = one(aws_eks_access_entry.node[*].access_entry_arn)
}

output "instance_profile_name" {
  description = "Name of the nodes' instance profile, or null."
  value       = one(aws_iam_instance_profile.node[*].name)
}

output "instance_profile_arn" {
  description = "ARN of the nodes' instance profile, or null."
  value       = one(aws_iam_instance_profile.node[*].arn)
}

output "queue_name" {
  description = "Name of the interruption queue, for the chart's `settings.interruptionQueue`, or null."
  value       = one(aws_sqs_queue.this[*].name)

  # Who uses it waits for all of these, and goes before them: a controller that drains nodes needs its permissions.
  depends_on = [
    aws_iam_role_policy_attachment.controller,
    aws_iam_role_policy_attachment.node,
    aws_eks_pod_identity_association.controller,
    aws_eks_access_entry.node,
    aws_iam_instance_profile.node,
    aws_cloudwatch_event_target.this,
  ]
}

output "queue_arn" {
  description = "ARN of the interruption queue, or null."
  value       = one(aws_sqs_queue.this[*].arn)
}

output "queue_url" {
  description = "URL of the interruption queue, or null."
  value       = one(aws_sqs_queue.this[*].url)
}

output "event_rules" {
  description = "Names of the rules by what they tell."
  value       = { for name, rule in aws_cloudwatch_event_rule.this : name => rule.name }
}
