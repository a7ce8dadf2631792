data "aws_partition" "current" {}

locals {
  iam_role_name = coalesce(var.iam_role_name, "${var.cluster_name}-karpenter")
  oidc_issuer   = var.oidc_provider_arn == null ? null : split(":oidc-provider/", var.oidc_provider_arn)[1]

  by_pod_identity = {
    Sid       = "AllowPodIdentity"
    Effect    = "Allow"
    Principal = { Service = "pods.eks.amazonaws.com" }
    Action    = ["sts:AssumeRole", "sts:TagSession"]
  }
  # Without both conditions any pod of the cluster could take the role.
  by_web_identity = {
    Sid       = "AllowServiceAccount"
    Effect    = "Allow"
    Principal = { Federated = var.oidc_provider_arn }
    Action    = ["sts:AssumeRoleWithWebIdentity"]
    Condition = {
      StringEquals = {
        "${coalesce(local.oidc_issuer, "none")}:sub" = "system:serviceaccount:${var.namespace}:${var.service_account}"
        "${coalesce(local.oidc_issuer, "none")}:aud" = "sts.amazonaws.com"
      }
    }
  }
  # Two lists in one: a conditional would want both statements to have the same fields.
  trust = concat(
    [for statement in [local.by_pod_identity] : statement if var.create_pod_identity_association],
    [for statement in [local.by_web_identity] : statement if var.oidc_provider_arn != null],
  )
}

resource "aws_iam_role" "controller" {
  name                 = local.iam_role_name
  description          = "The node autoscaler of the EKS cluster ${var.cluster_name}."
  assume_role_policy   = jsonencode({ Version = "2012-10-17", Statement = local.trust })
  permissions_boundary = var.iam_role_permissions_boundary_arn
  tags                 = var.tags
}

module "policies" {
  source = "../controller-policies"

  cluster_name  = var.cluster_name
  node_role_arn = local.node_role_arn
  queue_name    = var.enable_spot_termination ? local.queue_name : null
  tags          = var.tags
}

resource "aws_iam_role_policy_attachment" "controller" {
  for_each = merge(module.policies.policy_arns, var.iam_role_additional_policies)

  role       = aws_iam_role.controller.name
  policy_arn = each.value
}

resource "aws_eks_pod_identity_association" "controller" {
  count = var.create_pod_identity_association ? 1 : 0

  cluster_name    = var.cluster_name
  namespace       = var.namespace
  service_account = var.service_account
  role_arn        = aws_iam_role.controller.arn
  tags            = var.tags
}

# ---- nodes

locals {
  node_role_name = coalesce(var.node_iam_role_name, "KarpenterNodeRole-${var.cluster_name}")
  node_role_arn  = var.create_node_iam_role ? aws_iam_role.node[0].arn : data.aws_iam_role.node[0].arn

  aws_policies = "arn:${data.aws_partition.current.partition}:iam::aws:policy"
  # By name: a policy given once more under the same name is still one attachment.
  node_policies = merge(
    { for name in ["AmazonEKS_CNI_Policy", "AmazonEKSWorkerNodePolicy", "AmazonEC2ContainerRegistryPullOnly", "AmazonSSMManagedInstanceCore"] : name => "${local.aws_policies}/${name}" },
    var.node_iam_role_additional_policies,
  )
}

data "aws_iam_role" "node" {
  count = var.create_node_iam_role ? 0 : 1
  name  = var.node_iam_role_name
}

resource "aws_iam_role" "node" {
  count = var.create_node_iam_role ? 1 : 0

  name        = local.node_role_name
  description = "Nodes that the autoscaler of the EKS cluster ${var.cluster_name} launches."
  assume_role_policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Sid       = "EKSNodeAssumeRole"
      Effect    = "Allow"
      Principal = { Service = "ec2.amazonaws.com" }
      Action    = ["sts:AssumeRole"]
    }]
  })
  permissions_boundary  = var.iam_role_permissions_boundary_arn
  force_detach_policies = true
  tags                  = var.tags
}

resource "aws_iam_role_policy_attachment" "node" {
  for_each = var.create_node_iam_role ? local.node_policies : {}

  role       = aws_iam_role.node[0].name
  policy_arn = each.value
}

resource "aws_iam_instance_profile" "node" {
  count = var.create_instance_profile ? 1 : 0

  name = coalesce(var.instance_profile_name, "KarpenterNodeInstanceProfile-${var.cluster_name}")
  role = var.create_node_iam_role ? aws_iam_role.node[0].name : var.node_iam_role_name
  tags = var.tags
}

resource "aws_eks_access_entry" "node" {
  count = var.create_access_entry ? 1 : 0

  cluster_name  = var.cluster_name
  principal_arn = local.node_role_arn
  type          = var.access_entry_type
  tags          = var.tags
}

module "spot_role" {
  source = "../spot-service-linked-role"
  count  = var.create_spot_service_linked_role ? 1 : 0

  owner = var.cluster_name
  tags  = var.tags
}
