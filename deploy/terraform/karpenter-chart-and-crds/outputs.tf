output "release" {
  description = "The controller's release: name, namespace, chart, version."
  value = {
    name      = helm_release.controller.name
    namespace = helm_release.controller.namespace
    chart     = helm_release.controller.chart
    version   = helm_release.controller.version
  }
}

output "node_pool_names" {
  description = "Names of the NodePools."
  value       = sort(setsubtract(toset(concat(["spot-pool", "ondemand-pool"], keys(var.node_pools))), [for name, pool in var.node_pools : name if pool == null]))
}

output "destroy_command" {
  description = "What a destroy runs first."
  value       = terraform_data.nodes.input.command
}
