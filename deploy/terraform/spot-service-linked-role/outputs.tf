output "is_made_here" {
  description = "Whether the role is this module's. It then goes with it, unless spot instances of the account still use it."
  value       = local.is_ours
}

output "arn" {
  description = "ARN of the role, whoever made it."
  value       = local.is_ours ? aws_iam_service_linked_role.spot[0].arn : data.aws_iam_role.spot[0].arn
}
