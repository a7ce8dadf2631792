# Document 001, with one change: its chart, repository and version are left out of karpenter_configs, for they are Karpenter's.

module "eks-cluster" {
  source = "./eks-cluster"

  clusters = { main = var.cluster_name }
}

module "karpenter" {
  source = "../../karpenter"

  karpenter_chart_version = "0.37.0" # For releases that name a repository and no version.

  cluster_name               = module.eks-cluster.eks_clusters["main"].name
  oidc_provider_arn          = module.eks-cluster.eks_cluster_oidc_provider_arn["main"]
  oidc_issuer_url            = module.eks-cluster.eks_cluster_oidc_issuer_url["main"]
  node_instance_profile_name = "KarpenterNodeInstanceProfile"
  cluster_endpoint           = module.eks-cluster.eks_cluster_endpoint["main"]
  environment                = "production"

  karpenter_configs = {
    main = {
      name      = "karpenter"
      namespace = "karpenter"
      # Null: the chart beside the module.
      chart            = var.chart
      repository       = var.repository
      version          = var.chart_version
      create_namespace = true
      values = [
        file("${path.module}/karpenter-values.yaml")
      ]
      additional_sets = [
        {
          name  = "controller.resources.requests.cpu"
          value = "1"
        },
        {
          name  = "controller.resources.requests.memory"
          value = "1Gi"
        }
      ]
    }
  }

  iam_roles = {
    karpenter_controller = {
      name    = "KarpenterController"
      service = "eks.amazonaws.com"
      tags = {
        Purpose = "Karpenter Controller"
      }
    }
  }

  iam_roles_attachments = {
    karpenter_controller_policy = {
      role_key   = "karpenter_controller"
      policy_arn = "arn:aws:iam::aws:policy/AmazonEKSClusterPolicy"
    }
  }

  tags = {
    Project     = "EKS Infrastructure"
    Component   = "Karpenter"
    Environment = "Production"
  }

  destroy_command     = var.destroy_command
  destroy_environment = var.destroy_environment
}
