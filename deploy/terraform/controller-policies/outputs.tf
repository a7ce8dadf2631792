output "policy_arns" {
  description = "ARNs of the policies by their short name: NodeLifecycle, IAMIntegration, EKSIntegration, Interruption, ZonalShift, ResourceDiscovery. The keys are known while planning."
  value       = { for name, policy in aws_iam_policy.this : name => policy.arn }
}

output "documents" {
  description = "The policies as JSON by their short name, for reviews and tests."
  value       = { for name, policy in aws_iam_policy.this : name => policy.policy }
}

output "policies" {
  description = "The policies by their short name: name and ARN."
  value       = { for name, policy in aws_iam_policy.this : name => { name = policy.name, arn = policy.arn } }
}
