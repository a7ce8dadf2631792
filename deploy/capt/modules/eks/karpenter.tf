# What a node autoscaler needs of the account. The resources below are those of deploy/terraform/karpenter-infra.

variable "interruption_queue" {
  description = "Whether the autoscaler hears of interruptions before they happen, by a queue and five rules."
  type        = string
  default     = "true"
}

locals {
  # The inputs of that module.
  karpenter = {
    cluster_name                      = aws_eks_cluster.this.name
    namespace                         = "karpenter"
    service_account                   = "karpenter"
    create_pod_identity_association   = false
    oidc_provider_arn                 = aws_iam_openid_connect_provider.this.arn
    iam_role_name                     = null
    iam_role_additional_policies      = {}
    iam_role_permissions_boundary_arn = null
    create_node_iam_role              = true
    node_iam_role_name                = "${var.cluster_name}-node"
    node_iam_role_additional_policies = {}
    create_instance_profile           = false
    instance_profile_name             = null
    create_access_entry               = true
    access_entry_type                 = "EC2_LINUX"
    enable_spot_termination           = try(tobool(var.interruption_queue), true)
    queue_name                        = "Karpenter-${var.cluster_name}"
    queue_kms_key_id                  = null
    rule_name_prefix                  = "Karpenter"
    tags                              = local.tags
  }
}

output "karpenter" {
  description = "What the values of Karpenter's chart, or ours, are made of."
  value = {
    namespace          = local.karpenter.namespace
    queue_name         = one(aws_sqs_queue.this[*].name)
    queue_arn          = one(aws_sqs_queue.this[*].arn)
    iam_role_arn       = aws_iam_role.controller.arn
    node_iam_role_name = one(aws_iam_role.node[*].name)
    node_iam_role_arn  = one(aws_iam_role.node[*].arn)
    service_account = {
      name        = local.karpenter.service_account
      annotations = { "eks.amazonaws.com/role-arn" = aws_iam_role.controller.arn }
    }
    discovery_tags = { "karpenter.sh/discovery" = var.cluster_name }
  }

  # Who uses it waits for all of these, and goes before them: a controller that drains nodes needs its permissions.
  depends_on = [
    aws_iam_role_policy_attachment.controller,
    aws_iam_role_policy_attachment.node,
    aws_eks_access_entry.node,
    aws_cloudwatch_event_target.this,
    aws_eks_fargate_profile.this,
  ]
}
