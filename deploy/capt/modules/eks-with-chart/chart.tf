# The autoscaler itself, by Helm. Its chart may be Karpenter's or ours: both take the same values.

variable "karpenter_chart" {
  description = "Where the chart is, such as oci://public.ecr.aws/karpenter/karpenter."
  type        = string
}

variable "karpenter_version" {
  description = "Version of the chart. Empty: the newest, or that of a path."
  type        = string
  default     = ""
}

data "aws_eks_cluster_auth" "this" {
  name = aws_eks_cluster.this.id
}

provider "helm" {
  kubernetes = {
    host                   = aws_eks_cluster.this.endpoint
    cluster_ca_certificate = base64decode(aws_eks_cluster.this.certificate_authority[0].data)
    token                  = data.aws_eks_cluster_auth.this.token
  }
}

resource "helm_release" "karpenter" {
  name             = "karpenter"
  namespace        = local.karpenter.namespace
  create_namespace = true
  chart            = var.karpenter_chart
  version          = var.karpenter_version == "" ? null : var.karpenter_version
  wait             = true
  timeout          = 600

  values = [yamlencode({
    settings = {
      clusterName       = aws_eks_cluster.this.name
      clusterEndpoint   = aws_eks_cluster.this.endpoint
      interruptionQueue = one(aws_sqs_queue.this[*].name)
    }
    serviceAccount = {
      name        = local.karpenter.service_account
      annotations = { "eks.amazonaws.com/role-arn" = aws_iam_role.controller.arn }
    }
    # On Fargate the cluster's own name service may not be there yet, and each pod has a machine of its own.
    dnsPolicy = "Default"
    affinity  = { nodeAffinity = null }
  })]

  # It goes before its permissions do.
  depends_on = [
    aws_iam_role_policy_attachment.controller,
    aws_iam_role_policy_attachment.node,
    aws_eks_access_entry.node,
    aws_cloudwatch_event_target.this,
    aws_eks_fargate_profile.this,
    aws_eks_addon.this,
  ]
}
