# Nodes of a cluster: a managed node group, or a Fargate profile.

variable "cluster_name" {
  description = "Name of the EKS cluster."
  type        = string
}

variable "region" {
  description = "Region of the cluster."
  type        = string
  default     = ""
}

variable "node_group" {
  description = "Name of the node group or profile."
  type        = string
}

variable "machine_name" {
  description = "Name of the one machine that this is made for. It names all that is made; of a pool there is none, and the node group's name does."
  type        = string
  default     = ""
}

variable "node_type" {
  description = "ManagedNodeGroup or Fargate."
  type        = string
  default     = "ManagedNodeGroup"
}

variable "instance_type" {
  description = "EC2's type of the nodes; none on Fargate."
  type        = string
  default     = ""
}

variable "min_size" {
  description = "Nodes at least."
  type        = string
  default     = "1"
}

variable "max_size" {
  description = "Nodes at most."
  type        = string
  default     = "1"
}

variable "desired_size" {
  description = "Nodes to begin with."
  type        = string
  default     = "1"
}

variable "labels" {
  description = "Labels of the nodes, as JSON. On Fargate: labels of the pods that it runs."
  type        = string
  default     = "{}"
}

variable "taints" {
  description = "Taints of the nodes, as a JSON list of {key, value, effect}."
  type        = string
  default     = "[]"
}

variable "tags" {
  description = "Tags of all that is made, as JSON."
  type        = string
  default     = "{}"
}

variable "failure_domain" {
  description = "Zone that the nodes must be in; none for all zones of the cluster."
  type        = string
  default     = ""
}

variable "fargate_namespace" {
  description = "Namespace whose pods Fargate runs."
  type        = string
  default     = "default"
}

# A placeholder that nobody filled arrives as it stands: what cannot be read as its type is the default.
locals {
  is_fargate   = var.node_type == "Fargate"
  kind         = local.is_fargate ? "fargate" : "nodes"
  stated       = try({ for key, value in jsondecode(var.labels) : key => tostring(value) }, {})
  labels       = local.is_fargate ? local.stated : merge(local.member, local.stated)
  tags         = merge(local.member, try({ for key, value in jsondecode(var.tags) : key => tostring(value) }, {}))
  taints       = try([for taint in jsondecode(var.taints) : { key = taint.key, value = try(taint.value, null), effect = taint.effect }], [])
  max_size     = try(tonumber(var.max_size), 1)
  min_size     = min(try(tonumber(var.min_size), 1), local.max_size)
  desired_size = max(local.min_size, min(try(tonumber(var.desired_size), local.min_size), local.max_size))

  # Kubernetes' words for what a taint does, in EKS's spelling; EKS's own stay as they are.
  effects = { NoSchedule = "NO_SCHEDULE", PreferNoSchedule = "PREFER_NO_SCHEDULE", NoExecute = "NO_EXECUTE" }

  principals = {
    nodes   = { service = "ec2.amazonaws.com", policies = ["AmazonEKSWorkerNodePolicy", "AmazonEKS_CNI_Policy", "AmazonEC2ContainerRegistryPullOnly", "AmazonSSMManagedInstanceCore"] }
    fargate = { service = "eks-fargate-pods.amazonaws.com", policies = ["AmazonEKSFargatePodExecutionRolePolicy"] }
  }

  # Each machine is a group of its own: EKS does not say which node of a group is to go. The group that its spec names is
  # told by a label and a tag.
  is_machine = can(regex("^[0-9A-Za-z]", var.machine_name))
  member     = local.is_machine && var.machine_name != var.node_group ? { "millwright.dev/node-group" = var.node_group } : {}

  # EKS takes 63 letters, digits, dashes and underscores: any other name is cut and ends with a hash of the whole.
  name_whole = local.is_machine ? var.machine_name : var.node_group
  name_clean = replace(local.name_whole, "/[^0-9A-Za-z_-]/", "-")
  name       = local.name_clean == local.name_whole && length(local.name_whole) <= 63 ? local.name_whole : "${substr(local.name_clean, 0, 54)}-${substr(sha256(local.name_whole), 0, 8)}"

  # IAM takes 64 characters, likewise.
  role_name_whole = "${var.cluster_name}-${local.name}"
  role_name       = length(local.role_name_whole) <= 64 ? local.role_name_whole : "${substr(local.role_name_whole, 0, 55)}-${substr(sha256(local.role_name_whole), 0, 8)}"
}

data "aws_partition" "current" {}

data "aws_availability_zones" "available" {
  state = "available"
}

data "aws_eks_cluster" "this" {
  name = var.cluster_name
}

data "aws_subnets" "nodes" {
  filter {
    name   = "subnet-id"
    values = data.aws_eks_cluster.this.vpc_config[0].subnet_ids
  }

  dynamic "filter" {
    for_each = can(regex("^[a-z]", var.failure_domain)) ? [var.failure_domain] : []
    content {
      name   = "availability-zone"
      values = [filter.value]
    }
  }
}

resource "aws_iam_role" "this" {
  name = local.role_name
  assume_role_policy = jsonencode({
    Version   = "2012-10-17"
    Statement = [{ Effect = "Allow", Principal = { Service = local.principals[local.kind].service }, Action = ["sts:AssumeRole"] }]
  })
  tags = local.tags
}

resource "aws_iam_role_policy_attachment" "this" {
  for_each = toset(local.principals[local.kind].policies)

  role       = aws_iam_role.this.name
  policy_arn = "arn:${data.aws_partition.current.partition}:iam::aws:policy/${each.value}"
}

resource "aws_eks_node_group" "this" {
  count = local.is_fargate ? 0 : 1

  cluster_name    = var.cluster_name
  node_group_name = local.name
  node_role_arn   = aws_iam_role.this.arn
  subnet_ids      = data.aws_subnets.nodes.ids
  instance_types  = can(regex("^[a-z]", var.instance_type)) ? [var.instance_type] : null
  labels          = local.labels
  tags            = local.tags

  scaling_config {
    min_size     = local.min_size
    max_size     = local.max_size
    desired_size = local.desired_size
  }

  dynamic "taint" {
    for_each = local.taints
    content {
      key    = taint.value.key
      value  = taint.value.value
      effect = lookup(local.effects, taint.value.effect, taint.value.effect)
    }
  }

  depends_on = [aws_iam_role_policy_attachment.this]
}

resource "aws_eks_fargate_profile" "this" {
  count = local.is_fargate ? 1 : 0

  cluster_name           = var.cluster_name
  fargate_profile_name   = local.name
  pod_execution_role_arn = aws_iam_role.this.arn
  subnet_ids             = data.aws_subnets.nodes.ids
  tags                   = local.tags

  selector {
    namespace = startswith(var.fargate_namespace, "$") ? "default" : var.fargate_namespace
    labels    = local.labels
  }

  depends_on = [aws_iam_role_policy_attachment.this]
}

# Zone by zone: a node's provider id begins with its zone.
data "aws_instances" "nodes" {
  for_each = local.is_fargate ? toset([]) : toset(data.aws_availability_zones.available.names)

  instance_state_names = ["pending", "running"]

  filter {
    name   = "availability-zone"
    values = [each.value]
  }
  filter {
    name   = "tag:eks:cluster-name"
    values = [var.cluster_name]
  }
  filter {
    name   = "tag:eks:nodegroup-name"
    values = [one(aws_eks_node_group.this[*].node_group_name)]
  }

  depends_on = [aws_eks_node_group.this]
}

locals {
  instance_ids = sort(flatten([for zone in values(data.aws_instances.nodes) : zone.ids]))
  private_ips  = flatten([for zone in values(data.aws_instances.nodes) : zone.private_ips])
  provider_ids = sort(flatten([for zone, found in data.aws_instances.nodes : [for id in found.ids : "aws:///${zone}/${id}"]]))
}

output "instance_id" {
  description = "Id of the first instance, or nothing yet."
  value       = try(local.instance_ids[0], "")
}

output "private_ip" {
  description = "Address of the first instance, or nothing yet."
  value       = try(local.private_ips[0], "")
}

output "provider_ids" {
  description = "Every instance as its Node names it."
  value       = local.provider_ids
}

output "provider_id" {
  description = "The first instance as its Node names it, or nothing yet."
  value       = try(local.provider_ids[0], "")
}

output "node_group_name" {
  description = "Name of the node group or profile."
  value       = local.is_fargate ? one(aws_eks_fargate_profile.this[*].fargate_profile_name) : one(aws_eks_node_group.this[*].node_group_name)
}

output "node_role_arn" {
  description = "ARN of the nodes' role."
  value       = aws_iam_role.this.arn
}
