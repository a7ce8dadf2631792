# As little of a cluster as the example needs, with the names of terraform-aws-modules/eks.

data "aws_partition" "current" {}

locals {
  policies = "arn:${data.aws_partition.current.partition}:iam::aws:policy"
  principals = {
    cluster = { service = "eks.amazonaws.com", policies = ["AmazonEKSClusterPolicy"] }
    system  = { service = "ec2.amazonaws.com", policies = ["AmazonEKSWorkerNodePolicy", "AmazonEKS_CNI_Policy", "AmazonEC2ContainerRegistryPullOnly"] }
  }
  attachments = merge([for key, principal in local.principals : { for policy in principal.policies : "${key}/${policy}" => { role = key, policy = policy } }]...)
}

resource "aws_iam_role" "this" {
  for_each = local.principals

  name = "${var.name}-${each.key}"
  assume_role_policy = jsonencode({
    Version   = "2012-10-17"
    Statement = [{ Effect = "Allow", Principal = { Service = each.value.service }, Action = ["sts:AssumeRole", "sts:TagSession"] }]
  })
}

resource "aws_iam_role_policy_attachment" "this" {
  for_each = local.attachments

  role       = aws_iam_role.this[each.value.role].name
  policy_arn = "${local.policies}/${each.value.policy}"
}

resource "aws_security_group" "node" {
  name        = "${var.name}-node"
  description = "Nodes of the EKS cluster ${var.name}"
  vpc_id      = var.vpc_id
  tags        = merge({ Name = "${var.name}-node" }, var.node_security_group_tags)
}

resource "aws_vpc_security_group_egress_rule" "all" {
  security_group_id = aws_security_group.node.id
  ip_protocol       = "-1"
  cidr_ipv4         = "0.0.0.0/0"
}

resource "aws_vpc_security_group_ingress_rule" "each_other" {
  security_group_id            = aws_security_group.node.id
  ip_protocol                  = "-1"
  referenced_security_group_id = aws_security_group.node.id
}

resource "aws_eks_cluster" "this" {
  name     = var.name
  role_arn = aws_iam_role.this["cluster"].arn
  version  = var.kubernetes_version

  access_config {
    authentication_mode                         = "API_AND_CONFIG_MAP"
    bootstrap_cluster_creator_admin_permissions = true
  }

  vpc_config {
    subnet_ids         = var.subnet_ids
    security_group_ids = [aws_security_group.node.id]
  }

  depends_on = [aws_iam_role_policy_attachment.this]
}

resource "aws_eks_addon" "pod_identity" {
  cluster_name = aws_eks_cluster.this.name
  addon_name   = "eks-pod-identity-agent"
}

resource "aws_eks_node_group" "this" {
  for_each = var.eks_managed_node_groups

  cluster_name    = aws_eks_cluster.this.name
  node_group_name = each.key
  node_role_arn   = aws_iam_role.this["system"].arn
  subnet_ids      = var.subnet_ids
  instance_types  = each.value.instance_types
  capacity_type   = each.value.capacity_type
  labels          = each.value.labels

  scaling_config {
    min_size     = each.value.min_size
    max_size     = each.value.max_size
    desired_size = each.value.desired_size
  }

  dynamic "taint" {
    for_each = each.value.taints
    content {
      key    = taint.value.key
      value  = taint.value.value
      effect = taint.value.effect
    }
  }
}
