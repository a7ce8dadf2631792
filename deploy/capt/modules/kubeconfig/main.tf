# A kubeconfig whose token lasts about a quarter of an hour. Every plan signs a new one, so that each poll of the
# workspace renews it.

variable "cluster_name" {
  description = "Name of the EKS cluster."
  type        = string
}

variable "region" {
  description = "Region of the cluster."
  type        = string
  default     = ""
}

variable "cluster_endpoint" {
  description = "URL of the API server."
  type        = string
}

variable "cluster_certificate_authority_data" {
  description = "Certificate authority of the API server: base64, or as it is."
  type        = string
}

locals {
  # The secret that it comes from may have undone the base64.
  authority = startswith(trimspace(var.cluster_certificate_authority_data), "-----BEGIN") ? base64encode(var.cluster_certificate_authority_data) : var.cluster_certificate_authority_data
  server    = can(regex("^https?://", var.cluster_endpoint)) ? var.cluster_endpoint : "https://${var.cluster_endpoint}"
}

data "aws_eks_cluster_auth" "this" {
  name = var.cluster_name
}

output "kubeconfig" {
  description = "The kubeconfig as YAML."
  sensitive   = true
  value = yamlencode({
    apiVersion      = "v1"
    kind            = "Config"
    current-context = var.cluster_name
    clusters        = [{ name = var.cluster_name, cluster = { server = local.server, certificate-authority-data = local.authority } }]
    contexts        = [{ name = var.cluster_name, context = { cluster = var.cluster_name, user = var.cluster_name } }]
    users           = [{ name = var.cluster_name, user = { token = data.aws_eks_cluster_auth.this.token } }]
  })
}
