# An EKS control plane, its add-ons, its identity provider, and Fargate for what must run before there are nodes.

variable "cluster_name" {
  description = "Name of the EKS cluster."
  type        = string
}

variable "kubernetes_version" {
  description = "Version of Kubernetes, such as 1.35."
  type        = string
}

variable "region" {
  description = "Region that the cluster is wanted in."
  type        = string
  default     = ""
}

variable "vpc_id" {
  description = "Id of a network that is there already. Else it is found by the cluster's tag."
  type        = string
  default     = ""
}

variable "endpoint_public_access" {
  description = "Whether the API server is reached from outside the network."
  type        = string
  default     = "false"
}

variable "endpoint_private_access" {
  description = "Whether the API server is reached from inside the network."
  type        = string
  default     = "true"
}

variable "public_access_cidrs" {
  description = "Who reaches the API server from outside, as a JSON list."
  type        = string
  default     = "[]"
}

variable "control_plane_logs" {
  description = "Logs of the control plane that CloudWatch keeps, with commas between. Empty: none."
  type        = string
  default     = "api,audit,authenticator,controllerManager,scheduler"
}

variable "kms_key_arn" {
  description = "Key of KMS that encrypts Secrets once more. Empty: EKS encrypts with a key of its own. It cannot be taken away again."
  type        = string
  default     = ""
}

variable "addons" {
  description = "Add-ons beside the usual ones, or in their place, as a JSON list of {name, version, configurationValues}."
  type        = string
  default     = "[]"
}

variable "tags" {
  description = "Tags of all that is made, as JSON."
  type        = string
  default     = "{}"
}

variable "fargate_namespaces" {
  description = "Namespaces whose pods Fargate runs, as a JSON list. CoreDNS and Karpenter run there before there is a node."
  type        = string
  default     = "[\"kube-system\", \"karpenter\"]"
}

# A placeholder that nobody filled arrives as it stands: what cannot be read as its type is the default.
locals {
  tags           = try({ for key, value in jsondecode(var.tags) : key => tostring(value) }, {})
  public_access  = try(tobool(var.endpoint_public_access), false)
  private_access = try(tobool(var.endpoint_private_access), true)
  # EKS takes an empty list for the whole internet: one that cannot be read must not become empty.
  public_access_cidrs = try([for cidr in jsondecode(var.public_access_cidrs) : tostring(cidr)], null)
  logs                = [for log in split(",", var.control_plane_logs) : trimspace(log) if trimspace(log) != ""]
  addons_given        = try([for addon in jsondecode(var.addons) : addon if addon.name != ""], [])
  fargate_namespaces  = toset(try(jsondecode(var.fargate_namespaces), ["kube-system", "karpenter"]))
  # The provider's block may fix another region than the one wanted: nothing may be built there by mistake.
  is_region_right = !can(regex("^[a-z]", var.region)) || var.region == data.aws_region.current.id

  has_vpc     = startswith(var.vpc_id, "vpc-")
  cluster_tag = "kubernetes.io/cluster/${var.cluster_name}"
  vpc_id      = local.has_vpc ? var.vpc_id : one(data.aws_vpcs.cluster[0].ids)
  subnet_ids  = length(data.aws_subnets.private.ids) > 0 ? data.aws_subnets.private.ids : data.aws_subnets.all.ids

  usual_addons = {
    coredns = {
      version = null
      # On Fargate only if something of kube-system runs there.
      configurationValues = contains(local.fargate_namespaces, "kube-system") ? jsonencode({ computeType = "Fargate" }) : null
    }
    eks-pod-identity-agent = { version = null, configurationValues = null }
    kube-proxy             = { version = null, configurationValues = null }
    vpc-cni                = { version = null, configurationValues = null }
  }
  addons = merge(local.usual_addons, {
    for addon in local.addons_given : addon.name => {
      version             = try(addon.version, "") == "" ? null : addon.version
      configurationValues = try(addon.configurationValues, "") == "" ? null : addon.configurationValues
    }
  })

  principals = {
    cluster = { service = "eks.amazonaws.com", policies = ["AmazonEKSClusterPolicy"] }
    fargate = { service = "eks-fargate-pods.amazonaws.com", policies = ["AmazonEKSFargatePodExecutionRolePolicy"] }
  }
}

data "aws_vpcs" "cluster" {
  count = local.has_vpc ? 0 : 1
  tags  = { (local.cluster_tag) = "shared" }
}

data "aws_subnets" "private" {
  filter {
    name   = "vpc-id"
    values = [local.vpc_id]
  }
  filter {
    name   = "tag:kubernetes.io/role/internal-elb"
    values = ["1"]
  }
}

data "aws_subnets" "all" {
  filter {
    name   = "vpc-id"
    values = [local.vpc_id]
  }
}

resource "aws_iam_role" "this" {
  for_each = local.principals

  name = "${var.cluster_name}-${each.key}"
  assume_role_policy = jsonencode({
    Version   = "2012-10-17"
    Statement = [{ Effect = "Allow", Principal = { Service = each.value.service }, Action = ["sts:AssumeRole"] }]
  })
  tags = local.tags
}

resource "aws_iam_role_policy_attachment" "this" {
  for_each = local.principals

  role       = aws_iam_role.this[each.key].name
  policy_arn = "arn:${data.aws_partition.current.partition}:iam::aws:policy/${each.value.policies[0]}"
}

resource "aws_security_group" "nodes" {
  name        = "${var.cluster_name}-node"
  description = "Nodes of the EKS cluster ${var.cluster_name}"
  vpc_id      = local.vpc_id
  tags        = merge(local.tags, { Name = "${var.cluster_name}-node", "karpenter.sh/discovery" = var.cluster_name })
}

resource "aws_vpc_security_group_egress_rule" "all" {
  security_group_id = aws_security_group.nodes.id
  ip_protocol       = "-1"
  cidr_ipv4         = "0.0.0.0/0"
  tags              = local.tags
}

resource "aws_vpc_security_group_ingress_rule" "each_other" {
  security_group_id            = aws_security_group.nodes.id
  ip_protocol                  = "-1"
  referenced_security_group_id = aws_security_group.nodes.id
  tags                         = local.tags
}

resource "aws_eks_cluster" "this" {
  name     = var.cluster_name
  role_arn = aws_iam_role.this["cluster"].arn
  version  = var.kubernetes_version
  tags     = local.tags

  access_config {
    authentication_mode                         = "API_AND_CONFIG_MAP"
    bootstrap_cluster_creator_admin_permissions = true
  }

  vpc_config {
    subnet_ids              = local.subnet_ids
    security_group_ids      = [aws_security_group.nodes.id]
    endpoint_public_access  = local.public_access
    endpoint_private_access = local.private_access
    public_access_cidrs     = local.public_access && length(coalesce(local.public_access_cidrs, [])) > 0 ? local.public_access_cidrs : null
  }

  enabled_cluster_log_types = local.logs

  dynamic "encryption_config" {
    for_each = startswith(var.kms_key_arn, "arn:") ? [var.kms_key_arn] : []
    content {
      resources = ["secrets"]
      provider {
        key_arn = encryption_config.value
      }
    }
  }

  lifecycle {
    precondition {
      condition     = local.is_region_right
      error_message = "The cluster is wanted in ${var.region}, and the ProviderConfig's provider block says ${data.aws_region.current.id}: leave region out there."
    }
    precondition {
      condition     = local.public_access || local.private_access
      error_message = "endpoint_public_access and endpoint_private_access are both false: nobody could reach the API server."
    }
    precondition {
      condition     = !local.public_access || local.public_access_cidrs != null
      error_message = "public_access_cidrs is no JSON list of texts, such as [\"192.0.2.0/24\"]; taken for an empty one it would open the API server to the internet."
    }
  }

  depends_on = [aws_iam_role_policy_attachment.this]
}

# AWS knows the certificates of its own issuers: no thumbprint is asked for.
resource "aws_iam_openid_connect_provider" "this" {
  url            = aws_eks_cluster.this.identity[0].oidc[0].issuer
  client_id_list = ["sts.amazonaws.com"]
  tags           = local.tags
}

resource "aws_eks_fargate_profile" "this" {
  for_each = local.fargate_namespaces

  cluster_name           = aws_eks_cluster.this.name
  fargate_profile_name   = each.value
  pod_execution_role_arn = aws_iam_role.this["fargate"].arn
  subnet_ids             = local.subnet_ids
  tags                   = local.tags

  selector {
    namespace = each.value
  }
}

resource "aws_eks_addon" "this" {
  for_each = local.addons

  cluster_name                = aws_eks_cluster.this.name
  addon_name                  = each.key
  addon_version               = each.value.version
  configuration_values        = each.value.configurationValues
  resolve_conflicts_on_create = "OVERWRITE"
  resolve_conflicts_on_update = "OVERWRITE"
  tags                        = local.tags

  # CoreDNS becomes ready where it can run.
  depends_on = [aws_eks_fargate_profile.this]
}

output "cluster_endpoint" {
  description = "URL of the API server."
  value       = aws_eks_cluster.this.endpoint
}

output "cluster_name" {
  description = "Name of the cluster, known when it is there."
  value       = aws_eks_cluster.this.id
}

output "cluster_certificate_authority_data" {
  description = "Certificate authority of the API server, base64. Sensitive, as users know it: it stands in the connection secret."
  value       = aws_eks_cluster.this.certificate_authority[0].data
  sensitive   = true
}

output "cluster_version" {
  description = "Version that runs."
  value       = aws_eks_cluster.this.version
}

output "cluster_security_group_id" {
  description = "Security group of the nodes."
  value       = aws_security_group.nodes.id
}

output "oidc_provider" {
  description = "Issuer without its scheme, as trust policies want it."
  value       = trimprefix(aws_eks_cluster.this.identity[0].oidc[0].issuer, "https://")
}

output "oidc_provider_arn" {
  description = "ARN of the identity provider."
  value       = aws_iam_openid_connect_provider.this.arn
}

output "vpc_id" {
  description = "Id of the cluster's network."
  value       = local.vpc_id
}

output "private_subnets" {
  description = "Subnets of the control plane and of nodes."
  value       = local.subnet_ids
}
