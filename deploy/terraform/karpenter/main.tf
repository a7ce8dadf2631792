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

# ---- roles

locals {
  issuer = trimprefix(var.oidc_issuer_url, "https://")
  subjects = {
    for role in keys(var.iam_roles) : role => sort([
      for key, config in var.karpenter_configs : "system:serviceaccount:${config.namespace}:${local.service_accounts[key]}" if local.role_of[key] == role
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
  for_each = { for key, role in local.role_of : key => role if role == null ? false : var.iam_roles[role].service == "pods.eks.amazonaws.com" }

  cluster_name    = var.cluster_name
  namespace       = var.karpenter_configs[each.key].namespace
  service_account = local.service_accounts[each.key]
  role_arn        = aws_iam_role.this[each.value].arn
  tags            = local.tags
}

# ---- releases

resource "helm_release" "this" {
  for_each = var.karpenter_configs

  name             = each.value.name
  namespace        = each.value.namespace
  create_namespace = each.value.create_namespace
  repository       = each.value.repository
  chart            = coalesce(each.value.chart, each.value.repository == null ? "${path.module}/../../charts/millwright" : "millwright")
  # A chart on disk has the version it has.
  version = each.value.repository == null ? null : coalesce(each.value.version, var.karpenter_chart_version)

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
  ]
}
