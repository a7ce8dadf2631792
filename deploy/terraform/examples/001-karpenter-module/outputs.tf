output "karpenter_releases" {
  description = "Releases by key."
  value       = module.karpenter.karpenter_releases
}

output "iam_roles" {
  description = "Roles of controllers by key."
  value       = module.karpenter.iam_roles
}
