module "infra" {
  source = "../karpenter-infra"

  cluster_name                    = local.cluster_name
  namespace                       = var.namespace
  service_account                 = local.service_account
  create_pod_identity_association = local.oidc_provider_arn == ""
  oidc_provider_arn               = local.oidc_provider_arn == "" ? null : local.oidc_provider_arn
  create_access_entry             = var.create_access_entry
  create_spot_service_linked_role = var.create_spot_service_linked_role
  discovery_subnet_ids            = local.subnet_ids
}

locals {
  release_name    = var.helm_release_name == "" ? "karpenter" : var.helm_release_name
  service_account = try(coalesce(try(var.karpenter_values.serviceAccount.name, "")), local.release_name)

  beside   = "${path.module}/../../charts"
  is_local = var.helm_repository_url == ""
  # Karpenter's repositories have no chart of ours.
  is_karpenters = can(regex("^(oci://public\\.ecr\\.aws/karpenter|https://charts\\.karpenter\\.sh)(/|$)", var.helm_repository_url))
  chart         = var.helm_chart_name != "" ? var.helm_chart_name : local.is_local ? "${local.beside}/millwright" : local.is_karpenters ? "karpenter" : "millwright"
  # In each repository the definitions are in the chart of the same name with -crd behind it.
  crds = var.helm_crd_chart_name != "" ? var.helm_crd_chart_name : local.is_local ? "${local.beside}/millwright-crd" : "${local.chart}-crd"
  # A directory says its name in Chart.yaml; a package and a chart of a repository have it in theirs.
  chart_name = try(
    yamldecode(file("${local.chart}/Chart.yaml")).name,
    regex("^(.+?)(?:-v?[0-9]+\\.[0-9]+\\.[0-9]+.*\\.tgz)?$", basename(local.chart))[0],
  )
  # A chart on disk has the version it has.
  version = local.is_local || var.helm_chart_version == "" ? null : var.helm_chart_version
}

# A warning of every plan, not a refusal: Karpenter's chart works with this module too.
check "chart_is_ours" {
  assert {
    condition     = local.chart_name == "millwright"
    error_message = "Millwright is not what this installs: helm_chart_name and helm_repository_url lead to the chart ${local.chart_name}${local.is_local ? "" : " of ${var.helm_repository_url}"}. Leave both empty for the chart beside this module, or name a mirror with the chart millwright."
  }
}

resource "helm_release" "crds" {
  name             = "${local.release_name}-crd"
  namespace        = var.namespace
  create_namespace = var.create_namespace
  repository       = local.is_local ? null : var.helm_repository_url
  chart            = local.crds
  version          = local.version
  wait             = true
}

resource "helm_release" "karpenter" {
  name       = local.release_name
  namespace  = helm_release.crds.namespace
  repository = local.is_local ? null : var.helm_repository_url
  chart      = local.chart
  version    = local.version
  skip_crds  = true
  wait       = true

  values = [
    yamlencode({
      replicas = var.replica_count
      serviceAccount = {
        name        = local.service_account
        annotations = module.infra.service_account_annotations
      }
      settings = {
        clusterName       = local.cluster_name
        clusterEndpoint   = local.endpoint
        interruptionQueue = module.infra.queue_name
      }
    }),
    yamlencode(var.karpenter_values),
    yamlencode(local.placement),
  ]

  lifecycle {
    precondition {
      condition     = length(local.refused) == 0
      error_message = "The controller must not run on nodes that it launches and ends itself, but ${join(", ", local.refused)}. Choose nodes of a node group, by a label and a taint of their own."
    }

    precondition {
      condition     = local.cluster_name != ""
      error_message = "No cluster is named: eks_cluster_name is empty, and the state ${var.eks_s3_key} has neither an output eks_cluster_name nor cluster_name."
    }
  }

  depends_on = [module.infra]
}

# A destroy goes the other way round: first this, while the controller is still there to drain nodes.
resource "terraform_data" "nodes" {
  input = {
    command = coalesce(var.destroy_command, "millwright destroy --yes --cluster ${local.cluster_name}")
    # Who names the region in the file of variables may have none in the environment.
    environment = merge(var.region == "" ? {} : { AWS_REGION = var.region }, var.destroy_environment)
  }

  provisioner "local-exec" {
    when        = destroy
    command     = self.input.command
    environment = self.input.environment
  }

  depends_on = [helm_release.karpenter]
}
