mock_provider "helm" {}
mock_provider "aws" {
  mock_data "aws_partition" {
    defaults = { partition = "aws" }
  }
  mock_data "aws_caller_identity" {
    defaults = { account_id = "111122223333" }
  }
  mock_data "aws_region" {
    defaults = { id = "eu-central-1" }
  }
  mock_data "aws_iam_instance_profile" {
    defaults = { role_arn = "arn:aws:iam::111122223333:role/nodes" }
  }
  mock_resource "aws_iam_role" {
    defaults = { arn = "arn:aws:iam::111122223333:role/mocked" }
  }
  mock_resource "aws_iam_policy" {
    defaults = { arn = "arn:aws:iam::111122223333:policy/mocked" }
  }
}

variables {
  karpenter_chart_version    = "0.37.0"
  cluster_name               = "main"
  oidc_provider_arn          = "arn:aws:iam::111122223333:oidc-provider/oidc.eks.eu-central-1.amazonaws.com/id/ABC"
  oidc_issuer_url            = "https://oidc.eks.eu-central-1.amazonaws.com/id/ABC"
  node_instance_profile_name = "KarpenterNodeInstanceProfile"
  cluster_endpoint           = "https://ABC.gr7.eu-central-1.eks.amazonaws.com"
  environment                = "production"
  iam_roles                  = { karpenter_controller = { name = "KarpenterController", service = "eks.amazonaws.com", tags = { Purpose = "Karpenter Controller" } } }
  iam_roles_attachments      = { karpenter_controller_policy = { role_key = "karpenter_controller", policy_arn = "arn:aws:iam::aws:policy/AmazonEKSClusterPolicy" } }
  karpenter_configs = {
    main = {
      name       = "karpenter"
      namespace  = "karpenter"
      chart      = "karpenter"
      repository = "oci://registry.example.com/karpenter"
      version    = "1.8.1"
      values     = ["{serviceAccount: {name: first}}", "{serviceAccount: {name: karpenter-sa}, replicas: 1}"]
      additional_sets = [
        { name = "controller.resources.requests.cpu", value = "1" },
        { name = "controller.resources.requests.memory", value = "1Gi" },
      ]
    }
    canary = { name = "karpenter-canary", namespace = "canary", create_namespace = false, values = ["shadow: {enabled: true}"] }
  }
  # No cluster is there whose nodes could be removed.
  destroy_command = "true"
}

run "several_releases_share_a_role_and_each_account_may_take_it" {
  expect_failures = [check.charts_are_ours]
  assert {
    condition = jsondecode(aws_iam_role.this["karpenter_controller"].assume_role_policy).Statement[1].Condition.StringEquals == {
      "oidc.eks.eu-central-1.amazonaws.com/id/ABC:sub" = ["system:serviceaccount:canary:karpenter-canary", "system:serviceaccount:karpenter:karpenter-sa"]
      "oidc.eks.eu-central-1.amazonaws.com/id/ABC:aud" = "sts.amazonaws.com"
    }
    error_message = "found ${aws_iam_role.this["karpenter_controller"].assume_role_policy}"
  }
  assert {
    condition     = jsondecode(aws_iam_role.this["karpenter_controller"].assume_role_policy).Statement[0].Principal == { Service = "eks.amazonaws.com" }
    error_message = "found ${aws_iam_role.this["karpenter_controller"].assume_role_policy}"
  }
  assert {
    condition     = aws_iam_role.this["karpenter_controller"].tags == tomap({ Environment = "production", Purpose = "Karpenter Controller" })
    error_message = "found ${jsonencode(aws_iam_role.this["karpenter_controller"].tags)}"
  }
  assert {
    condition     = length(aws_iam_role_policy_attachment.needed) == 5 && aws_iam_role_policy_attachment.given["karpenter_controller_policy"].policy_arn == "arn:aws:iam::aws:policy/AmazonEKSClusterPolicy"
    error_message = "The role has what a controller needs, and what is given."
  }
  assert {
    condition     = "${helm_release.this["main"].repository}/${helm_release.this["main"].chart}:${helm_release.this["main"].version}" == "oci://registry.example.com/karpenter/karpenter:1.8.1"
    error_message = "found ${helm_release.this["main"].chart}"
  }
  assert {
    condition     = [for set in helm_release.this["main"].set : "${set.name}=${set.value} ${set.type}"] == ["controller.resources.requests.cpu=1 string", "controller.resources.requests.memory=1Gi string"]
    error_message = "found ${jsonencode(helm_release.this["main"].set)}"
  }
  assert {
    condition = yamldecode(helm_release.this["canary"].values[0]) == {
      serviceAccount = { name = "karpenter-canary", annotations = { "eks.amazonaws.com/role-arn" = "arn:aws:iam::111122223333:role/mocked" } }
      settings       = { clusterName = "main", clusterEndpoint = "https://ABC.gr7.eu-central-1.eks.amazonaws.com", interruptionQueue = "" }
    }
    error_message = "found ${helm_release.this["canary"].values[0]}"
  }
  assert {
    condition     = basename(helm_release.this["canary"].chart) == "millwright" && helm_release.this["canary"].create_namespace == false
    error_message = "found ${helm_release.this["canary"].chart}"
  }
  assert {
    condition     = { for key, release in output.karpenter_releases : key => "${release.namespace}/${release.name}" } == { main = "karpenter/karpenter", canary = "canary/karpenter-canary" } && output.iam_roles["karpenter_controller"].name == "KarpenterController"
    error_message = "found ${jsonencode(output.karpenter_releases)}"
  }
}

run "roles_by_pod_identity_are_associated" {
  variables {
    iam_roles             = { main = { name = "Main", service = "pods.eks.amazonaws.com" }, other = { name = "Other" } }
    iam_roles_attachments = {}
    karpenter_configs = {
      main  = { name = "karpenter", namespace = "karpenter" }
      extra = { name = "extra", namespace = "karpenter", iam_role_key = "other", additional_sets = [{ name = "shadow.enabled", value = "true" }] }
    }
    interruption_queue_name = "main"
  }
  assert {
    condition     = { for key, association in aws_eks_pod_identity_association.this : key => association.service_account } == { main = "karpenter" }
    error_message = "found ${jsonencode(keys(aws_eks_pod_identity_association.this))}"
  }
  assert {
    condition     = jsondecode(aws_iam_role.this["main"].assume_role_policy).Statement[0].Action == ["sts:AssumeRole", "sts:TagSession"]
    error_message = "found ${aws_iam_role.this["main"].assume_role_policy}"
  }
  assert {
    condition     = length(aws_iam_role_policy_attachment.needed) == 12
    error_message = "Both roles have all six policies."
  }
}

run "a_shadow_alone_takes_no_nodes_with_it" {
  command = plan
  variables {
    karpenter_configs = { main = { name = "shadow", namespace = "karpenter", values = ["shadow: {enabled: true}"] } }
    destroy_command   = null
  }
  assert {
    condition     = output.destroy_command == "true"
    error_message = "found ${output.destroy_command}"
  }
}

run "two_releases_that_act_are_refused_by_the_last_word_on_the_shadow" {
  command = plan
  variables {
    karpenter_configs = {
      main  = { name = "karpenter", namespace = "karpenter" }
      other = { name = "karpenter-two", namespace = "other", values = ["shadow: {enabled: true}"], additional_sets = [{ name = "shadow.enabled", value = "false" }] }
    }
  }
  expect_failures = [terraform_data.nodes]
}

run "definitions_come_first_and_by_one_release" {
  variables {
    karpenter_configs = {
      main        = { name = "karpenter", namespace = "karpenter" }
      definitions = { name = "karpenter-crd", namespace = "karpenter", chart = "../../charts/millwright-crd" }
    }
  }
  assert {
    condition     = keys(helm_release.definitions) == ["definitions"] && keys(helm_release.this) == ["main"] && helm_release.this["main"].skip_crds
    error_message = "found ${jsonencode(keys(helm_release.this))}"
  }
  assert {
    condition     = length(coalesce(helm_release.definitions["definitions"].values, [])) == 0
    error_message = "The chart of definitions knows no values of a controller's."
  }
  assert {
    condition     = jsondecode(aws_iam_role.this["karpenter_controller"].assume_role_policy).Statement[1].Condition.StringEquals["oidc.eks.eu-central-1.amazonaws.com/id/ABC:sub"] == ["system:serviceaccount:karpenter:karpenter"]
    error_message = "found ${aws_iam_role.this["karpenter_controller"].assume_role_policy}"
  }
  assert {
    condition     = output.karpenter_releases["definitions"].service_account == null && output.karpenter_releases["main"].service_account == "karpenter"
    error_message = "found ${jsonencode(output.karpenter_releases)}"
  }
}

run "the_documents_example_as_it_stands_is_warned_of" {
  command = plan
  variables {
    karpenter_configs = { main = { name = "karpenter", namespace = "karpenter", chart = "karpenter", repository = "oci://public.ecr.aws/karpenter", version = "0.37.0" } }
  }
  expect_failures = [check.charts_are_ours]
}

run "a_mirror_and_a_package_of_ours_are_not_and_a_destroy_first_removes_the_nodes" {
  command = plan
  variables {
    karpenter_configs = {
      main   = { name = "karpenter", namespace = "karpenter", repository = "oci://registry.example.com/charts", version = "0.1.0" }
      shadow = { name = "shadow", namespace = "karpenter", chart = "./millwright-0.1.0.tgz", values = ["shadow: {enabled: true}"] }
    }
    destroy_command     = null
    destroy_environment = { AWS_REGION = "eu-central-1" }
  }
  assert {
    condition     = helm_release.this["main"].chart == "millwright" && helm_release.this["main"].version == "0.1.0"
    error_message = "found ${helm_release.this["main"].chart}"
  }
  assert {
    condition     = terraform_data.nodes.input == { command = "millwright destroy --yes --cluster main", environment = tomap({ AWS_REGION = "eu-central-1" }) }
    error_message = "found ${jsonencode(terraform_data.nodes.input)}"
  }
}

run "what_does_not_fit_together_is_refused" {
  command = plan
  variables {
    oidc_issuer_url            = "https://oidc.eks.eu-central-1.amazonaws.com/id/OTHER"
    node_instance_profile_name = "arn:aws:iam::111122223333:instance-profile/nodes"
    cluster_endpoint           = "ABC.gr7.eu-central-1.eks.amazonaws.com"
    iam_roles_attachments      = { wrong = { role_key = "karpenter_contoller", policy_arn = "AmazonEKSClusterPolicy" } }
    karpenter_configs = {
      main  = { name = "karpenter", namespace = "karpenter" }
      again = { name = "karpenter", namespace = "other" }
    }
  }
  expect_failures = [
    var.oidc_issuer_url, var.node_instance_profile_name, var.cluster_endpoint, var.iam_roles_attachments, var.karpenter_configs,
  ]
}
