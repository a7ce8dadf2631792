# Clusters that exist, told as document 001's module for clusters tells them. It also makes the OIDC providers by which
# service accounts take roles; where they are there already, look them up instead.

variable "clusters" {
  description = "Names of clusters by a key of your choice."
  type        = map(string)
}

data "aws_eks_cluster" "this" {
  for_each = var.clusters
  name     = each.value
}

resource "aws_iam_openid_connect_provider" "this" {
  for_each = var.clusters

  url            = data.aws_eks_cluster.this[each.key].identity[0].oidc[0].issuer
  client_id_list = ["sts.amazonaws.com"]
}

output "eks_clusters" {
  description = "The clusters as EKS tells them."
  value       = data.aws_eks_cluster.this
}

output "eks_cluster_oidc_provider_arn" {
  description = "ARNs of the OIDC providers."
  value       = { for key, provider in aws_iam_openid_connect_provider.this : key => provider.arn }
}

output "eks_cluster_oidc_issuer_url" {
  description = "URLs of the OIDC issuers."
  value       = { for key, cluster in data.aws_eks_cluster.this : key => cluster.identity[0].oidc[0].issuer }
}

output "eks_cluster_endpoint" {
  description = "URLs of the API servers."
  value       = { for key, cluster in data.aws_eks_cluster.this : key => cluster.endpoint }
}
