terraform {
  required_version = ">= 1.9"

  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = ">= 5.95"
    }
    helm = {
      source  = "hashicorp/helm"
      version = ">= 3.0"
    }
  }
}

# Region and credentials are the environment's.
provider "aws" {}

data "aws_eks_cluster_auth" "this" {
  name = module.eks-cluster.eks_clusters["main"].name
}

provider "helm" {
  kubernetes = {
    host                   = module.eks-cluster.eks_cluster_endpoint["main"]
    cluster_ca_certificate = base64decode(module.eks-cluster.eks_clusters["main"].certificate_authority[0].data)
    token                  = data.aws_eks_cluster_auth.this.token
  }
}
