# What is given wins, then what the states tell, then what EKS tells.

data "terraform_remote_state" "eks" {
  count   = var.eks_s3_key == "" ? 0 : 1
  backend = "s3"
  config  = merge({ bucket = var.backend_s3_bucket_name, key = var.eks_s3_key }, local.state_region, var.backend_s3_options)
}

data "terraform_remote_state" "infra_network" {
  count   = var.infra_network_s3_key == "" ? 0 : 1
  backend = "s3"
  config  = merge({ bucket = var.backend_s3_bucket_name, key = var.infra_network_s3_key }, local.state_region, var.backend_s3_options)
}

locals {
  state_region = var.region == "" ? {} : { region = var.region }
  eks          = one(data.terraform_remote_state.eks[*].outputs)
  network      = one(data.terraform_remote_state.infra_network[*].outputs)

  # Empty where nobody tells.
  cluster_name      = try(coalesce(var.eks_cluster_name, try(local.eks.eks_cluster_name, ""), try(local.eks.cluster_name, "")), "")
  told_endpoint     = try(coalesce(var.eks_endpoint_url, try(local.eks.eks_endpoint_url, ""), try(local.eks.cluster_endpoint, "")), "")
  told_authority    = try(coalesce(var.eks_cluster_certificate_authority_data, try(local.eks.eks_cluster_certificate_authority_data, ""), try(local.eks.cluster_certificate_authority_data, "")), "")
  oidc_provider_arn = try(coalesce(var.eks_oidc_provider_arn, try(local.eks.eks_oidc_provider_arn, ""), try(local.eks.oidc_provider_arn, "")), "")
  subnet_ids        = try(local.network.private_subnet_ids, local.network.private_subnets, [])

  endpoint              = local.told_endpoint != "" ? local.told_endpoint : data.aws_eks_cluster.this[0].endpoint
  certificate_authority = local.told_authority != "" ? local.told_authority : data.aws_eks_cluster.this[0].certificate_authority[0].data
  token                 = var.eks_auth_token != "" ? var.eks_auth_token : data.aws_eks_cluster_auth.this[0].token
}

data "aws_eks_cluster" "this" {
  count = local.told_endpoint == "" || local.told_authority == "" ? 1 : 0
  name  = local.cluster_name
}

data "aws_eks_cluster_auth" "this" {
  count = nonsensitive(var.eks_auth_token == "") ? 1 : 0
  name  = local.cluster_name
}
