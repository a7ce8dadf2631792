output "karpenter_releases" {
  description = "Releases by the key of karpenter_configs: name, namespace, chart, version, app_version, status, revision and service_account, which a chart of definitions has none of."
  value = {
    for key, release in merge(helm_release.this, helm_release.definitions) : key => {
      name            = release.name
      namespace       = release.namespace
      chart           = release.metadata.chart
      version         = release.metadata.version
      app_version     = release.metadata.app_version
      status          = release.status
      revision        = release.metadata.revision
      service_account = contains(keys(local.of_definitions), key) ? null : local.service_accounts[key]
    }
  }
}

output "iam_roles" {
  description = "Roles by the key of iam_roles: name, arn and unique_id."
  value = {
    for key, role in aws_iam_role.this : key => {
      name      = role.name
      arn       = role.arn
      unique_id = role.unique_id
    }
  }
}

output "destroy_command" {
  description = "What a destroy runs first."
  value       = terraform_data.nodes.input.command
}
