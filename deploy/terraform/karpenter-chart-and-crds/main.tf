locals {
  beside   = "${path.module}/../../charts"
  is_local = var.charts.repository == null
  charts = {
    controller = coalesce(var.charts.controller, local.is_local ? "${local.beside}/millwright" : "millwright")
    crds       = coalesce(var.charts.crds, local.is_local ? "${local.beside}/millwright-crd" : "millwright-crd")
    nodepools  = coalesce(var.charts.nodepools, local.is_local ? "${local.beside}/karpenter-nodepools" : "karpenter-nodepools")
  }
}

# Helm waits until each definition is established, which takes seconds; nothing sleeps.
resource "helm_release" "crds" {
  name             = "${var.release_name}-crd"
  namespace        = var.namespace
  create_namespace = var.create_namespace
  repository       = var.charts.repository
  chart            = local.charts.crds
  version          = local.is_local ? null : var.charts.version
  wait             = true
  timeout          = var.timeout_seconds
}

resource "helm_release" "controller" {
  name       = var.release_name
  namespace  = helm_release.crds.namespace
  repository = var.charts.repository
  chart      = local.charts.controller
  version    = local.is_local ? null : var.charts.version
  skip_crds  = true
  wait       = true
  timeout    = var.timeout_seconds

  values = concat(
    [templatefile("${path.module}/karpenter-values.tpl", {
      cluster_name    = var.cluster_name
      queue_name      = var.queue_name == null ? "" : var.queue_name
      service_account = var.service_account
    })],
    var.values,
  )
}

# The objects are a chart too: a manifest of their kinds could not even be planned before the definitions are there.
resource "helm_release" "pools" {
  name       = "${var.release_name}-nodepools"
  namespace  = helm_release.controller.namespace
  repository = var.charts.repository
  chart      = local.charts.nodepools
  version    = local.is_local ? null : var.charts.version
  wait       = true
  timeout    = var.timeout_seconds

  values = [
    yamlencode({
      clusterName      = var.cluster_name
      role             = var.karpenter_role
      subnetIds        = var.private_subnet_ids
      securityGroupIds = [var.node_security_group_id]
      tags             = var.tags
    }),
    yamlencode({ nodeClasses = var.node_classes, nodePools = var.node_pools }),
  ]
}

# A destroy goes the other way round: first this, while the pools and the controller are still there to drain nodes.
resource "terraform_data" "nodes" {
  input = {
    command     = coalesce(var.destroy_command, "millwright destroy --yes --cluster ${var.cluster_name}")
    environment = var.destroy_environment
  }

  provisioner "local-exec" {
    when        = destroy
    command     = self.input.command
    environment = self.input.environment
  }

  depends_on = [helm_release.pools, helm_release.controller]
}
