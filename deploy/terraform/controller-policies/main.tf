# What the controller may do, in six policies. Their names and statements are those that Karpenter's users know, so that
# an account that was reviewed for it needs no second review.

data "aws_partition" "current" {}
data "aws_caller_identity" "current" {}
data "aws_region" "current" {}

locals {
  partition = data.aws_partition.current.partition
  account   = data.aws_caller_identity.current.account_id
  region    = data.aws_region.current.id

  cluster_arn = "arn:${local.partition}:eks:${local.region}:${local.account}:cluster/${var.cluster_name}"
  queue_arn   = var.queue_name == null ? null : "arn:${local.partition}:sqs:${local.region}:${local.account}:${var.queue_name}"
  profiles    = "arn:${local.partition}:iam::${local.account}:instance-profile/*"

  ec2     = "arn:${local.partition}:ec2:${local.region}"
  ours    = "kubernetes.io/cluster/${var.cluster_name}"
  created = [for kind in ["fleet", "instance", "volume", "network-interface", "launch-template", "spot-instances-request"] : "${local.ec2}:*:${kind}/*"]

  policies = merge(
    {
      NodeLifecycle     = local.node_lifecycle
      IAMIntegration    = local.iam_integration
      EKSIntegration    = local.eks_integration
      ZonalShift        = local.zonal_shift
      ResourceDiscovery = local.resource_discovery
    },
    var.queue_name == null ? {} : { Interruption = local.interruption },
  )

  node_lifecycle = [
    {
      Sid    = "AllowScopedEC2InstanceAccessActions"
      Effect = "Allow"
      Action = ["ec2:RunInstances", "ec2:CreateFleet"]
      Resource = [
        "${local.ec2}::image/*",
        "${local.ec2}::snapshot/*",
        "${local.ec2}:*:security-group/*",
        "${local.ec2}:*:subnet/*",
        "${local.ec2}:*:capacity-reservation/*",
        "${local.ec2}:*:placement-group/*",
      ]
    },
    {
      Sid      = "AllowScopedEC2LaunchTemplateAccessActions"
      Effect   = "Allow"
      Action   = ["ec2:RunInstances", "ec2:CreateFleet"]
      Resource = ["${local.ec2}:*:launch-template/*"]
      Condition = {
        StringEquals = { "aws:ResourceTag/${local.ours}" = "owned" }
        StringLike   = { "aws:ResourceTag/karpenter.sh/nodepool" = "*" }
      }
    },
    {
      Sid      = "AllowScopedEC2InstanceActionsWithTags"
      Effect   = "Allow"
      Action   = ["ec2:RunInstances", "ec2:CreateFleet", "ec2:CreateLaunchTemplate"]
      Resource = local.created
      Condition = {
        StringEquals = {
          "aws:RequestTag/${local.ours}"        = "owned"
          "aws:RequestTag/eks:eks-cluster-name" = var.cluster_name
        }
        StringLike = { "aws:RequestTag/karpenter.sh/nodepool" = "*" }
      }
    },
    {
      Sid      = "AllowScopedResourceCreationTagging"
      Effect   = "Allow"
      Action   = ["ec2:CreateTags"]
      Resource = local.created
      Condition = {
        StringEquals = {
          "aws:RequestTag/${local.ours}"        = "owned"
          "aws:RequestTag/eks:eks-cluster-name" = var.cluster_name
          "ec2:CreateAction"                    = ["RunInstances", "CreateFleet", "CreateLaunchTemplate"]
        }
        StringLike = { "aws:RequestTag/karpenter.sh/nodepool" = "*" }
      }
    },
    {
      Sid      = "AllowScopedResourceTagging"
      Effect   = "Allow"
      Action   = ["ec2:CreateTags"]
      Resource = ["${local.ec2}:*:instance/*"]
      Condition = {
        StringEquals         = { "aws:ResourceTag/${local.ours}" = "owned" }
        StringLike           = { "aws:ResourceTag/karpenter.sh/nodepool" = "*" }
        StringEqualsIfExists = { "aws:RequestTag/eks:eks-cluster-name" = var.cluster_name }
        "ForAllValues:StringEquals" = {
          "aws:TagKeys" = ["eks:eks-cluster-name", "karpenter.sh/nodeclaim", "Name"]
        }
      }
    },
    {
      Sid      = "AllowScopedDeletion"
      Effect   = "Allow"
      Action   = ["ec2:TerminateInstances", "ec2:DeleteLaunchTemplate"]
      Resource = ["${local.ec2}:*:instance/*", "${local.ec2}:*:launch-template/*"]
      Condition = {
        StringEquals = { "aws:ResourceTag/${local.ours}" = "owned" }
        StringLike   = { "aws:ResourceTag/karpenter.sh/nodepool" = "*" }
      }
    },
  ]

  iam_integration = [
    {
      Sid      = "AllowPassingInstanceRole"
      Effect   = "Allow"
      Action   = ["iam:PassRole"]
      Resource = [var.node_role_arn]
      Condition = {
        StringEquals = { "iam:PassedToService" = ["ec2.amazonaws.com", "ec2.amazonaws.com.cn"] }
      }
    },
    {
      Sid      = "AllowScopedInstanceProfileCreationActions"
      Effect   = "Allow"
      Action   = ["iam:CreateInstanceProfile"]
      Resource = [local.profiles]
      Condition = {
        StringEquals = {
          "aws:RequestTag/${local.ours}"                 = "owned"
          "aws:RequestTag/eks:eks-cluster-name"          = var.cluster_name
          "aws:RequestTag/topology.kubernetes.io/region" = local.region
        }
        StringLike = { "aws:RequestTag/karpenter.k8s.aws/ec2nodeclass" = "*" }
      }
    },
    {
      Sid      = "AllowScopedInstanceProfileTagActions"
      Effect   = "Allow"
      Action   = ["iam:TagInstanceProfile"]
      Resource = [local.profiles]
      Condition = {
        StringEquals = {
          "aws:ResourceTag/${local.ours}"                 = "owned"
          "aws:ResourceTag/topology.kubernetes.io/region" = local.region
          "aws:RequestTag/${local.ours}"                  = "owned"
          "aws:RequestTag/eks:eks-cluster-name"           = var.cluster_name
          "aws:RequestTag/topology.kubernetes.io/region"  = local.region
        }
        StringLike = {
          "aws:ResourceTag/karpenter.k8s.aws/ec2nodeclass" = "*"
          "aws:RequestTag/karpenter.k8s.aws/ec2nodeclass"  = "*"
        }
      }
    },
    {
      Sid      = "AllowScopedInstanceProfileActions"
      Effect   = "Allow"
      Action   = ["iam:AddRoleToInstanceProfile", "iam:RemoveRoleFromInstanceProfile", "iam:DeleteInstanceProfile"]
      Resource = [local.profiles]
      Condition = {
        StringEquals = {
          "aws:ResourceTag/${local.ours}"                 = "owned"
          "aws:ResourceTag/topology.kubernetes.io/region" = local.region
        }
        StringLike = { "aws:ResourceTag/karpenter.k8s.aws/ec2nodeclass" = "*" }
      }
    },
  ]

  eks_integration = [{
    Sid      = "AllowAPIServerEndpointDiscovery"
    Effect   = "Allow"
    Action   = ["eks:DescribeCluster"]
    Resource = [local.cluster_arn]
  }]

  interruption = [{
    Sid      = "AllowInterruptionQueueActions"
    Effect   = "Allow"
    Action   = ["sqs:DeleteMessage", "sqs:GetQueueUrl", "sqs:ReceiveMessage"]
    Resource = [local.queue_arn]
  }]

  zonal_shift = [{
    Sid       = "AllowZonalShiftStatusReadOnly"
    Effect    = "Allow"
    Action    = ["arc-zonal-shift:GetManagedResource"]
    Resource  = ["*"]
    Condition = { StringEquals = { "arc-zonal-shift:ResourceIdentifier" = local.cluster_arn } }
  }]

  resource_discovery = [
    {
      Sid    = "AllowRegionalReadActions"
      Effect = "Allow"
      Action = [
        "ec2:DescribeCapacityReservations",
        "ec2:DescribeImages",
        "ec2:DescribeInstances",
        "ec2:DescribeInstanceStatus",
        "ec2:DescribeInstanceTypeOfferings",
        "ec2:DescribeInstanceTypes",
        "ec2:DescribeLaunchTemplates",
        "ec2:DescribePlacementGroups",
        "ec2:DescribeSecurityGroups",
        "ec2:DescribeSpotPriceHistory",
        "ec2:DescribeSubnets",
      ]
      Resource  = ["*"]
      Condition = { StringEquals = { "aws:RequestedRegion" = local.region } }
    },
    {
      Sid      = "AllowSSMReadActions"
      Effect   = "Allow"
      Action   = ["ssm:GetParameter"]
      Resource = ["arn:${local.partition}:ssm:${local.region}::parameter/aws/service/*"]
    },
    {
      Sid      = "AllowPricingReadActions"
      Effect   = "Allow"
      Action   = ["pricing:GetProducts"]
      Resource = ["*"]
    },
    {
      Sid      = "AllowUnscopedInstanceProfileListAction"
      Effect   = "Allow"
      Action   = ["iam:ListInstanceProfiles"]
      Resource = ["*"]
    },
    {
      Sid      = "AllowInstanceProfileReadActions"
      Effect   = "Allow"
      Action   = ["iam:GetInstanceProfile"]
      Resource = [local.profiles]
    },
  ]
}

resource "aws_iam_policy" "this" {
  for_each = toset(keys(local.policies))

  name        = "KarpenterController${each.key}Policy-${var.cluster_name}"
  description = "The node autoscaler of the EKS cluster ${var.cluster_name}: ${each.key}"
  policy      = jsonencode({ Version = "2012-10-17", Statement = local.policies[each.key] })
  tags        = var.tags
}
