mock_provider "helm" {}
mock_provider "aws" {
  mock_data "aws_partition" {
    defaults = { partition = "aws" }
  }
  mock_data "aws_caller_identity" {
    defaults = { account_id = "111122223333" }
  }
  mock_data "aws_region" {
    defaults = { id = "ap-northeast-2" }
  }
  mock_data "aws_iam_roles" {
    defaults = { names = [] }
  }
  mock_data "aws_eks_cluster" {
    defaults = { endpoint = "https://told.by.eks", certificate_authority = [{ data = "Y2E=" }] }
  }
  mock_data "aws_eks_cluster_auth" {
    defaults = { token = "made-for-the-cluster" }
  }
  mock_resource "aws_iam_role" {
    defaults = { arn = "arn:aws:iam::111122223333:role/mocked" }
  }
  mock_resource "aws_iam_policy" {
    defaults = { arn = "arn:aws:iam::111122223333:policy/mocked" }
  }
  mock_resource "aws_sqs_queue" {
    defaults = { arn = "arn:aws:sqs:ap-northeast-2:111122223333:mocked" }
  }
}

variables {
  project          = "shop"
  env              = "dev"
  region           = "ap-northeast-2"
  eks_cluster_name = "shop-dev"
  # Nobody is there to be asked.
  destroy_command = "true"
}

run "a_name_is_enough" {
  assert {
    condition     = local.endpoint == "https://told.by.eks" && local.certificate_authority == "Y2E=" && nonsensitive(local.token) == "made-for-the-cluster"
    error_message = "What is not given is asked of EKS, the token too."
  }
  assert {
    condition = yamldecode(helm_release.karpenter.values[0]) == {
      replicas       = 2
      serviceAccount = { name = "karpenter", annotations = {} }
      settings       = { clusterName = "shop-dev", clusterEndpoint = "https://told.by.eks", interruptionQueue = "shop-dev" }
    }
    error_message = "found ${helm_release.karpenter.values[0]}"
  }
  assert {
    condition     = helm_release.karpenter.name == "karpenter" && helm_release.karpenter.namespace == "karpenter" && basename(helm_release.karpenter.chart) == "millwright"
    error_message = "found ${helm_release.karpenter.name}, ${helm_release.karpenter.chart}"
  }
  assert {
    condition     = module.infra.node_access_entry_arn != null
    error_message = "Nodes join by an access entry."
  }
}

run "the_documents_placement_leaves_out_nodes_of_the_controllers_own" {
  variables {
    eks_endpoint_url                       = "https://given"
    eks_cluster_certificate_authority_data = "R0lWRU4="
    eks_auth_token                         = "given"
    eks_oidc_provider_arn                  = "arn:aws:iam::111122223333:oidc-provider/oidc.eks.ap-northeast-2.amazonaws.com/id/ABC"
    eks_oidc_provider_url                  = "https://oidc.eks.ap-northeast-2.amazonaws.com/id/ABC"
    helm_release_name                      = "ops"
    helm_chart_name                        = "karpenter"
    helm_chart_version                     = "v0.27.3"
    helm_repository_url                    = "oci://registry.example.com/karpenter"
    create_access_entry                    = false
    replica_count                          = 1
    karpenter_values                       = { logLevel = "debug", serviceAccount = { name = "ops-sa" } }
    node_selector                          = { role = "ops" }
    affinity = {
      nodeAffinity = {
        requiredDuringSchedulingIgnoredDuringExecution = {
          nodeSelectorTerms = [{ matchExpressions = [{ key = "role", operator = "In", values = ["ops"] }] }]
        }
      }
    }
    tolerations = [{ key = "role", operator = "Equal", value = "ops", effect = "NoSchedule" }]
  }
  # The document's chart is Karpenter's.
  expect_failures = [check.chart_is_ours]
  assert {
    condition = yamldecode(helm_release.karpenter.values[2]) == {
      affinity = {
        nodeAffinity = {
          requiredDuringSchedulingIgnoredDuringExecution = {
            nodeSelectorTerms = [{ matchExpressions = [
              { key = "role", operator = "In", values = ["ops"] },
              { key = "karpenter.sh/nodepool", operator = "DoesNotExist" },
              { key = "karpenter.sh/provisioner-name", operator = "DoesNotExist" },
            ] }]
          }
        }
      }
      nodeSelector = { role = "ops" }
      tolerations  = [{ key = "role", operator = "Equal", value = "ops", effect = "NoSchedule" }]
    }
    error_message = "found ${helm_release.karpenter.values[2]}"
  }
  assert {
    condition     = yamldecode(helm_release.karpenter.values[0]).serviceAccount == { name = "ops-sa", annotations = { "eks.amazonaws.com/role-arn" = "arn:aws:iam::111122223333:role/mocked" } }
    error_message = "found ${helm_release.karpenter.values[0]}"
  }
  assert {
    condition     = local.endpoint == "https://given" && nonsensitive(local.token) == "given" && length(data.aws_eks_cluster.this) == 0 && length(data.aws_eks_cluster_auth.this) == 0
    error_message = "What is given is not asked for."
  }
  assert {
    condition     = "${helm_release.karpenter.repository}/${helm_release.karpenter.chart}:${helm_release.karpenter.version}" == "oci://registry.example.com/karpenter/karpenter:v0.27.3"
    error_message = "found ${helm_release.karpenter.chart}"
  }
  assert {
    condition     = helm_release.crds.chart == "karpenter-crd"
    error_message = "found ${helm_release.crds.chart}"
  }
  assert {
    condition     = module.infra.node_access_entry_arn == null
    error_message = "An old cluster has no access entries."
  }
}

run "karpenters_repository_has_karpenters_charts" {
  command = plan
  variables {
    helm_repository_url = "oci://public.ecr.aws/karpenter"
    helm_chart_version  = "1.8.1"
    destroy_command     = null
  }
  expect_failures = [check.chart_is_ours]
  assert {
    condition     = [for release in [helm_release.crds, helm_release.karpenter] : "${release.chart}:${release.version}"] == ["karpenter-crd:1.8.1", "karpenter:1.8.1"]
    error_message = "found ${helm_release.crds.chart}, ${helm_release.karpenter.chart}"
  }
  assert {
    condition     = terraform_data.nodes.input == { command = "millwright destroy --yes --cluster shop-dev", environment = tomap({ AWS_REGION = "ap-northeast-2" }) }
    error_message = "found ${jsonencode(terraform_data.nodes.input)}"
  }
}

run "a_mirror_has_ours" {
  command = plan
  variables {
    helm_repository_url = "oci://registry.example.com/charts"
    helm_chart_version  = "0.1.0"
    destroy_environment = { AWS_REGION = "us-east-1", KUBECONFIG = "/kubeconfig" }
  }
  assert {
    condition     = terraform_data.nodes.input.environment == tomap({ AWS_REGION = "us-east-1", KUBECONFIG = "/kubeconfig" })
    error_message = "found ${jsonencode(terraform_data.nodes.input.environment)}"
  }
  assert {
    condition     = [for release in [helm_release.crds, helm_release.karpenter] : release.chart] == ["millwright-crd", "millwright"]
    error_message = "found ${helm_release.crds.chart}, ${helm_release.karpenter.chart}"
  }
}

run "a_selector_of_its_own_nodes_is_refused" {
  command = plan
  variables {
    node_selector = { "karpenter.sh/nodepool" = "ops" }
  }
  expect_failures = [helm_release.karpenter]
}

run "so_is_an_affinity" {
  command = plan
  variables {
    affinity = { nodeAffinity = { preferredDuringSchedulingIgnoredDuringExecution = [{ weight = 1, preference = { matchExpressions = [{ key = "karpenter.sh/capacity-type", operator = "In", values = ["on-demand"] }] } }] } }
  }
  expect_failures = [helm_release.karpenter]
}

run "so_are_values_and_tolerations" {
  command = plan
  variables {
    karpenter_values = { nodeSelector = { "karpenter.k8s.aws/instance-category" = "m" } }
    tolerations      = [{ key = "karpenter.sh/disrupted", operator = "Exists" }]
  }
  expect_failures = [helm_release.karpenter]
}

run "labels_for_the_controller_are_not" {
  command = plan
  variables {
    node_selector = { "karpenter.sh/controller" = "true" }
    affinity      = { nodeAffinity = { requiredDuringSchedulingIgnoredDuringExecution = { nodeSelectorTerms = [{ matchExpressions = [{ key = "karpenter.sh/nodepool", operator = "DoesNotExist" }] }] } } }
  }
}

run "what_cannot_work_is_refused" {
  command = plan
  variables {
    region                 = "ap-northeast-2a"
    infra_network_s3_key   = "network.tfstate"
    backend_s3_bucket_name = ""
    helm_repository_url    = "registry.example.com"
    replica_count          = 1.5
    tolerations            = "all"
    affinity               = ["none"]
    namespace              = "Karpenter"
  }
  expect_failures = [
    var.region, var.backend_s3_bucket_name, var.helm_repository_url, var.replica_count, var.tolerations, var.affinity, var.namespace,
  ]
}
