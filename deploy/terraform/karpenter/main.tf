# Document 001's configuration, with one change: delete chart, repository and version of each of karpenter_configs. As the
# document has them, they install Karpenter 0.37.0 from Karpenter's registry; each plan warns of that.

locals {
  tags = merge(var.environment == "" ? {} : { Environment = var.environment }, var.tags)

  role_of = {
    for key, config in var.karpenter_configs : key => (
      config.iam_role_key != null ? config.iam_role_key :
      contains(keys(var.iam_roles), key) ? key :
      one(keys(var.iam_roles))
    )
  }
  # What the values say wins; a chart without a word names the account after its release.
  service_accounts = {
    for key, config in var.karpenter_configs : key => try(
      coalesce(reverse([for text in config.values : try(yamldecode(text).serviceAccount.name, "")])...),
      config.name,
    )
  }
}

# ---- what the charts are

locals {
  charts = {
    for key, config in var.karpenter_configs : key =>
    coalesce(config.chart, config.repository == null ? "${path.module}/../../charts/millwright" : "millwright")
  }
  # A directory says its name in Chart.yaml; a package and a chart of a repository have it in theirs.
  chart_names = {
    for key, chart in local.charts : key => try(
      yamldecode(file("${chart}/Chart.yaml")).name,
      regex("^(.+?)(?:-v?[0-9]+\\.[0-9]+\\.[0-9]+.*\\.tgz)?$", basename(chart))[0],
    )
  }
  of_definitions = { for key, name in local.chart_names : key => name if endswith(name, "-crd") }
  not_ours       = { for key, name in local.chart_names : key => name if !contains(["millwright", "millwright-crd"], name) }

  # The last word of a value: additional_sets win over values, later values over earlier.
  is_shadow = {
    for key, config in var.karpenter_configs : key => local.chart_names[key] == "millwright" && coalesce(concat(
      reverse([for set in config.additional_sets : set.value if set.name == "shadow.enabled"]),
      reverse([for text in config.values : try(tostring(yamldecode(text).shadow.enabled), null)]),
      ["false"],
    )...) == "true"
  }
  acting = [for key in keys(var.karpenter_configs) : key if !contains(keys(local.of_definitions), key) && !local.is_shadow[key]]
}

# A warning of every plan, not a refusal: Karpenter's chart works with these modules too.
check "charts_are_ours" {
  assert {
    condition     = length(local.not_ours) == 0
    error_message = "Millwright is not what this installs: ${join(", ", [for key, name in local.not_ours : "karpenter_configs[\"${key}\"] has the chart ${name} of ${coalesce(var.karpenter_configs[key].repository, "a path")}"])}. Leave out chart, repository and version for the chart beside this module, or name a mirror with the chart millwright."
  }
}

# ---- roles

locals {
  issuer = trimprefix(var.oidc_issuer_url, "https://")
  subjects = {
    for role in keys(var.iam_roles) : role => sort([
      for key, config in var.karpenter_configs : "system:serviceaccount:${config.namespace}:${local.service_accounts[key]}"
      if local.role_of[key] == role && !contains(keys(local.of_definitions), key)
    ])
  }
}

resource "aws_iam_role" "this" {
  for_each = var.iam_roles

  name        = each.value.name
  description = "A node autoscaler of the EKS cluster ${var.cluster_name}."
  assume_role_policy = jsonencode({
    Version = "2012-10-17"
    Statement = concat(
      [{
        Sid       = "AllowService"
        Effect    = "Allow"
        Principal = { Service = each.value.service }
        Action    = each.value.service == "pods.eks.amazonaws.com" ? ["sts:AssumeRole", "sts:TagSession"] : ["sts:AssumeRole"]
      }],
      # A role that no release uses is no service account's.
      [for subjects in [local.subjects[each.key]] : {
        Sid       = "AllowServiceAccount"
        Effect    = "Allow"
        Principal = { Federated = var.oidc_provider_arn }
        Action    = ["sts:AssumeRoleWithWebIdentity"]
        Condition = {
          StringEquals = {
            "${local.issuer}:sub" = subjects
            "${local.issuer}:aud" = "sts.amazonaws.com"
          }
        }
      } if length(subjects) > 0],
    )
  })
  tags = merge(local.tags, each.value.tags)
}

# The profile must exist: a name with a typo is found here and not by the first launch.
data "aws_iam_instance_profile" "node" {
  name = var.node_instance_profile_name
}

module "policies" {
  source = "../controller-policies"
  count  = var.create_controller_policies ? 1 : 0

  cluster_name  = var.cluster_name
  node_role_arn = data.aws_iam_instance_profile.node.role_arn
  queue_name    = var.interruption_queue_name == "" ? null : var.interruption_queue_name
  tags          = local.tags
}

locals {
  needed = var.create_controller_policies ? toset(concat(
    ["NodeLifecycle", "IAMIntegration", "EKSIntegration", "ZonalShift", "ResourceDiscovery"],
    var.interruption_queue_name == "" ? [] : ["Interruption"],
  )) : toset([])
  pairs = { for pair in setproduct(keys(var.iam_roles), local.needed) : "${pair[0]}/${pair[1]}" => { role = pair[0], policy = pair[1] } }
}

resource "aws_iam_role_policy_attachment" "needed" {
  for_each = local.pairs

  role       = aws_iam_role.this[each.value.role].name
  policy_arn = module.policies[0].policy_arns[each.value.policy]
}

resource "aws_iam_role_policy_attachment" "given" {
  for_each = var.iam_roles_attachments

  role       = aws_iam_role.this[each.value.role_key].name
  policy_arn = each.value.policy_arn
}

resource "aws_eks_pod_identity_association" "this" {
  for_each = {
    for key, role in local.role_of : key => role
    if role == null || contains(keys(local.of_definitions), key) ? false : var.iam_roles[role].service == "pods.eks.amazonaws.com"
  }

  cluster_name    = var.cluster_name
  namespace       = var.karpenter_configs[each.key].namespace
  service_account = local.service_accounts[each.key]
  role_arn        = aws_iam_role.this[each.value].arn
  tags            = local.tags
}

# ---- releases

# Definitions come before the controllers that read their objects. Helm waits until each is established.
resource "helm_release" "definitions" {
  for_each = local.of_definitions

  name             = var.karpenter_configs[each.key].name
  namespace        = var.karpenter_configs[each.key].namespace
  create_namespace = var.karpenter_configs[each.key].create_namespace
  repository       = var.karpenter_configs[each.key].repository
  chart            = local.charts[each.key]
  version          = var.karpenter_configs[each.key].repository == null ? null : coalesce(var.karpenter_configs[each.key].version, var.karpenter_chart_version)
  values           = var.karpenter_configs[each.key].values
  set              = var.karpenter_configs[each.key].additional_sets
  wait             = true
}

resource "helm_release" "this" {
  for_each = { for key, config in var.karpenter_configs : key => config if !contains(keys(local.of_definitions), key) }

  name             = each.value.name
  namespace        = each.value.namespace
  create_namespace = each.value.create_namespace
  repository       = each.value.repository
  chart            = local.charts[each.key]
  # A chart on disk has the version it has.
  version = each.value.repository == null ? null : coalesce(each.value.version, var.karpenter_chart_version)
  # Two releases would own the same definitions.
  skip_crds = length(local.of_definitions) > 0

  values = concat(
    [yamlencode({
      serviceAccount = {
        name        = local.service_accounts[each.key]
        annotations = local.role_of[each.key] == null ? {} : { "eks.amazonaws.com/role-arn" = aws_iam_role.this[local.role_of[each.key]].arn }
      }
      settings = {
        clusterName       = var.cluster_name
        clusterEndpoint   = var.cluster_endpoint
        interruptionQueue = var.interruption_queue_name
      }
    })],
    each.value.values,
  )

  set = each.value.additional_sets

  # A controller that starts without its permissions would give up.
  depends_on = [
    aws_iam_role_policy_attachment.needed,
    aws_iam_role_policy_attachment.given,
    aws_eks_pod_identity_association.this,
    helm_release.definitions,
  ]
}

# A destroy goes the other way round: first this, while controllers and their permissions are still there to drain nodes.
resource "terraform_data" "nodes" {
  input = {
    # A shadow watches nodes of somebody else, who still needs them.
    command     = coalesce(var.destroy_command, length(local.acting) == 0 ? "true" : "millwright destroy --yes --cluster ${var.cluster_name}")
    environment = var.destroy_environment
  }

  provisioner "local-exec" {
    when        = destroy
    command     = self.input.command
    environment = self.input.environment
  }

  lifecycle {
    precondition {
      condition     = length(local.acting) <= 1
      error_message = "karpenter_configs has ${length(local.acting)} releases that would act on the same pods, NodePools and nodes: ${join(", ", local.acting)}. One controller acts on a cluster: keep one of them, or set shadow.enabled of the others, which then only tell what they would do."
    }
  }

  depends_on = [helm_release.this]
}
