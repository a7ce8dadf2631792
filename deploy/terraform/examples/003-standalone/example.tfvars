# Document 003: terraform apply -var-file=example/example.tfvars, in karpenter-standalone.

project = "shop"
env     = "dev"
region  = "ap-northeast-2"

# What is left empty below is read from these states.
backend_s3_bucket_name = "shop-dev-terraform"
eks_s3_key             = "eks/terraform.tfstate"
infra_network_s3_key   = "infra-network/terraform.tfstate"

eks_cluster_name                       = "shop-dev"
eks_endpoint_url                       = ""
eks_cluster_certificate_authority_data = ""
eks_oidc_provider_arn                  = ""
eks_oidc_provider_url                  = ""
eks_auth_token                         = "" # Made for the cluster's name.

helm_release_name = "karpenter"
# Empty: the charts of this repository.
helm_chart_name     = ""
helm_chart_version  = ""
helm_repository_url = ""

create_namespace = true
namespace        = "karpenter"
replica_count    = 2

karpenter_values = {}

node_selector = {
  role : "ops"
}

affinity = {
  nodeAffinity = {
    requiredDuringSchedulingIgnoredDuringExecution = {
      nodeSelectorTerms = [{
        matchExpressions = [{
          key      = "role"
          operator = "In"
          values   = ["ops"]
        }]
      }]
    }
  }
}

tolerations = [{
  key      = "role"
  operator = "Equal"
  value    = "ops"
  effect   = "NoSchedule"
}]
