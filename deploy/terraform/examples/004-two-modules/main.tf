# Document 004: the infrastructure first, then chart, custom resources, class and pools, in one apply.

module "vpc" {
  source = "./vpc"

  name = var.cluster_name
  private_subnet_tags = {
    "karpenter.sh/discovery" = var.cluster_name
  }
}

module "eks" {
  source = "./eks"

  name       = var.cluster_name
  vpc_id     = module.vpc.vpc_id
  subnet_ids = module.vpc.private_subnets

  eks_managed_node_groups = {
    karpenter_node_group = {
      instance_types = ["c7i-flex.large"]
      capacity_type  = "ON_DEMAND" # It must stay: the controller runs here.
      min_size       = 1
      max_size       = 2
      desired_size   = 1

      labels = { workload-type = "system" }
      taints = {
        system = {
          key    = "workload-type"
          value  = "system"
          effect = "NO_SCHEDULE" # Keeps other pods away.
        }
      }
    }
  }

  node_security_group_tags = {
    "karpenter.sh/discovery" = var.cluster_name
  }
}

module "spot_role" {
  source = "../../spot-service-linked-role"

  owner = var.cluster_name
}

module "karpenter_infra" {
  source = "../../karpenter-infra"

  cluster_name = var.cluster_name

  create_pod_identity_association = true
  namespace                       = "karpenter"
  service_account                 = "karpenter-sa"

  node_iam_role_additional_policies = {
    AmazonSSMManagedInstanceCore = "arn:aws:iam::aws:policy/AmazonSSMManagedInstanceCore"
  }

  depends_on = [module.eks]
}

module "karpenter_chart_and_crds" {
  source                 = "../../karpenter-chart-and-crds"
  queue_name             = module.karpenter_infra.queue_name
  cluster_name           = var.cluster_name
  karpenter_role         = module.karpenter_infra.node_iam_role_name
  private_subnet_ids     = module.vpc.private_subnets
  node_security_group_id = module.eks.node_security_group_id
  destroy_command        = var.destroy_command
  destroy_environment    = var.destroy_environment
  depends_on             = [module.eks]
}
