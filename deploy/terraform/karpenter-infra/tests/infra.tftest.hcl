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
  mock_data "aws_iam_roles" {
    defaults = { names = [] }
  }
  mock_resource "aws_iam_role" {
    defaults = { arn = "arn:aws:iam::111122223333:role/mocked" }
  }
  mock_resource "aws_iam_policy" {
    defaults = { arn = "arn:aws:iam::111122223333:policy/mocked" }
  }
  mock_resource "aws_sqs_queue" {
    defaults = { arn = "arn:aws:sqs:eu-central-1:111122223333:mocked" }
  }
}

variables {
  cluster_name = "shop"
}

run "the_defaults_are_those_of_karpenters_template" {
  # Names.
  assert {
    condition     = output.iam_role_name == "shop-karpenter" && output.node_iam_role_name == "KarpenterNodeRole-shop" && output.queue_name == "shop"
    error_message = "found ${output.iam_role_name}, ${output.node_iam_role_name}, ${output.queue_name}"
  }
  assert {
    condition = toset([for policy in values(module.policies.policies) : policy.name]) == toset([
      "KarpenterControllerNodeLifecyclePolicy-shop",
      "KarpenterControllerIAMIntegrationPolicy-shop",
      "KarpenterControllerEKSIntegrationPolicy-shop",
      "KarpenterControllerInterruptionPolicy-shop",
      "KarpenterControllerZonalShiftPolicy-shop",
      "KarpenterControllerResourceDiscoveryPolicy-shop",
    ])
    error_message = "found ${join(", ", [for policy in values(module.policies.policies) : policy.name])}"
  }
  assert {
    condition     = toset(keys(aws_iam_role_policy_attachment.controller)) == toset(["NodeLifecycle", "IAMIntegration", "EKSIntegration", "Interruption", "ZonalShift", "ResourceDiscovery"])
    error_message = "The controller's role must have all six policies."
  }

  # Every statement has its Sid.
  assert {
    condition = { for name, text in output.policy_documents : name => jsondecode(text).Statement[*].Sid } == {
      NodeLifecycle = [
        "AllowScopedEC2InstanceAccessActions", "AllowScopedEC2LaunchTemplateAccessActions", "AllowScopedEC2InstanceActionsWithTags",
        "AllowScopedResourceCreationTagging", "AllowScopedResourceTagging", "AllowScopedDeletion",
      ]
      IAMIntegration = [
        "AllowPassingInstanceRole", "AllowScopedInstanceProfileCreationActions", "AllowScopedInstanceProfileTagActions",
        "AllowScopedInstanceProfileActions",
      ]
      EKSIntegration = ["AllowAPIServerEndpointDiscovery"]
      Interruption   = ["AllowInterruptionQueueActions"]
      ZonalShift     = ["AllowZonalShiftStatusReadOnly"]
      ResourceDiscovery = [
        "AllowRegionalReadActions", "AllowSSMReadActions", "AllowPricingReadActions", "AllowUnscopedInstanceProfileListAction",
        "AllowInstanceProfileReadActions",
      ]
    }
    error_message = "found ${jsonencode({ for name, text in output.policy_documents : name => jsondecode(text).Statement[*].Sid })}"
  }
  assert {
    # IAM counts characters without white space.
    condition     = alltrue([for text in values(output.policy_documents) : length(text) <= 6144])
    error_message = "A managed policy takes 6,144 characters."
  }

  # What is created must carry the cluster's tags.
  assert {
    condition = alltrue([
      for statement in jsondecode(output.policy_documents["NodeLifecycle"]).Statement :
      can(statement.Condition.StringEquals["aws:RequestTag/kubernetes.io/cluster/shop"]) || can(statement.Condition.StringEquals["aws:ResourceTag/kubernetes.io/cluster/shop"])
      if statement.Sid != "AllowScopedEC2InstanceAccessActions"
    ])
    error_message = "Only images, snapshots, groups, subnets, reservations and placement groups may be used without the cluster's tag."
  }
  assert {
    condition     = jsondecode(output.policy_documents["IAMIntegration"]).Statement[0].Resource == ["arn:aws:iam::111122223333:role/mocked"]
    error_message = "Only the nodes' role may be passed."
  }
  assert {
    condition     = jsondecode(output.policy_documents["Interruption"]).Statement[0].Resource == ["arn:aws:sqs:eu-central-1:111122223333:shop"]
    error_message = "Only the cluster's queue may be read."
  }

  # Nodes have four policies, a profile and an access entry.
  assert {
    condition     = toset(keys(aws_iam_role_policy_attachment.node)) == toset(["AmazonEKS_CNI_Policy", "AmazonEKSWorkerNodePolicy", "AmazonEC2ContainerRegistryPullOnly", "AmazonSSMManagedInstanceCore"])
    error_message = "found ${join(", ", keys(aws_iam_role_policy_attachment.node))}"
  }
  assert {
    condition     = output.instance_profile_name == "KarpenterNodeInstanceProfile-shop" && aws_eks_access_entry.node[0].type == "EC2_LINUX"
    error_message = "found ${output.instance_profile_name}, ${aws_eks_access_entry.node[0].type}"
  }

  # The queue hears five kinds of events, and nothing over plain HTTP.
  assert {
    condition = { for name, rule in aws_cloudwatch_event_rule.this : name => jsondecode(rule.event_pattern) } == {
      ScheduledChangeRule                 = { source = ["aws.health"], detail-type = ["AWS Health Event"] }
      SpotInterruptionRule                = { source = ["aws.ec2"], detail-type = ["EC2 Spot Instance Interruption Warning"] }
      RebalanceRule                       = { source = ["aws.ec2"], detail-type = ["EC2 Instance Rebalance Recommendation"] }
      InstanceStateChangeRule             = { source = ["aws.ec2"], detail-type = ["EC2 Instance State-change Notification"] }
      CapacityReservationInterruptionRule = { source = ["aws.ec2"], detail-type = ["EC2 Capacity Reservation Instance Interruption Warning"] }
    }
    error_message = "found ${jsonencode({ for name, rule in aws_cloudwatch_event_rule.this : name => rule.event_pattern })}"
  }
  assert {
    condition     = toset([for target in aws_cloudwatch_event_target.this : target.target_id]) == toset(["KarpenterInterruptionQueueTarget"])
    error_message = "Targets have Karpenter's id."
  }
  assert {
    condition     = aws_sqs_queue.this[0].message_retention_seconds == 300 && aws_sqs_queue.this[0].sqs_managed_sse_enabled
    error_message = "Messages are kept for five minutes, encrypted."
  }
  assert {
    condition     = [for statement in jsondecode(aws_sqs_queue.this[0].policy).Statement : "${statement.Effect} ${jsonencode(statement.Principal)} ${statement.Action}"] == ["Allow {\"Service\":\"events.amazonaws.com\"} sqs:SendMessage", "Deny \"*\" sqs:*"]
    error_message = "found ${aws_sqs_queue.this[0].policy}"
  }
  assert {
    condition     = can(regex("^[0-9]{12}$", jsondecode(aws_sqs_queue.this[0].policy).Statement[0].Condition.StringEquals["aws:SourceAccount"])) && can(regex("^arn:aws:events:[a-z0-9-]+:[0-9]{12}:rule/\\*$", jsondecode(aws_sqs_queue.this[0].policy).Statement[0].Condition.ArnLike["aws:SourceArn"]))
    error_message = "Only rules of this account and region may send; found ${aws_sqs_queue.this[0].policy}"
  }
}

run "subnets_and_groups_are_tagged_and_the_spot_role_is_made_when_it_is_missing" {
  variables {
    discovery_subnet_ids            = ["subnet-0c6405113c8c6c9ff", "subnet-0272f0cc333aceec8"]
    discovery_security_group_ids    = ["sg-0f20ce994969820df"]
    create_spot_service_linked_role = true
  }
  assert {
    condition     = { for id, tag in aws_ec2_tag.discovery : id => "${tag.key}=${tag.value}" } == { for id in ["subnet-0c6405113c8c6c9ff", "subnet-0272f0cc333aceec8", "sg-0f20ce994969820df"] : id => "karpenter.sh/discovery=shop" }
    error_message = "found ${jsonencode({ for id, tag in aws_ec2_tag.discovery : id => tag.key })}"
  }

  assert {
    condition     = module.spot_role[0].is_made_here
    error_message = "The look-up found none."
  }
}

run "the_role_is_taken_by_pod_identity_and_by_web_identity" {
  variables {
    oidc_provider_arn = "arn:aws:iam::111122223333:oidc-provider/oidc.eks.eu-central-1.amazonaws.com/id/ABC"
    namespace         = "karpenter"
    service_account   = "karpenter-sa"
  }
  assert {
    condition     = jsondecode(aws_iam_role.controller.assume_role_policy).Statement[*].Action == [["sts:AssumeRole", "sts:TagSession"], ["sts:AssumeRoleWithWebIdentity"]]
    error_message = "found ${aws_iam_role.controller.assume_role_policy}"
  }
  assert {
    condition = jsondecode(aws_iam_role.controller.assume_role_policy).Statement[1].Condition.StringEquals == {
      "oidc.eks.eu-central-1.amazonaws.com/id/ABC:sub" = "system:serviceaccount:karpenter:karpenter-sa"
      "oidc.eks.eu-central-1.amazonaws.com/id/ABC:aud" = "sts.amazonaws.com"
    }
    error_message = "found ${aws_iam_role.controller.assume_role_policy}"
  }
  assert {
    condition     = aws_eks_pod_identity_association.controller[0].service_account == "karpenter-sa"
    error_message = "The association is the service account's."
  }
  assert {
    condition     = output.service_account_annotations == tomap({ "eks.amazonaws.com/role-arn" = "arn:aws:iam::111122223333:role/mocked" })
    error_message = "found ${jsonencode(output.service_account_annotations)}"
  }
}

run "long_names_of_rules_are_cut_and_stay_apart" {
  variables {
    cluster_name       = "a-cluster-with-a-name-that-is-longer-than-most-of-them-are"
    iam_role_name      = "controller"
    node_iam_role_name = "nodes"
  }
  assert {
    condition     = alltrue([for name in values(output.event_rules) : length(name) <= 64]) && length(toset(values(output.event_rules))) == 5
    error_message = "found ${jsonencode(output.event_rules)}"
  }
}

run "without_a_queue_there_is_nothing_for_it" {
  variables {
    enable_spot_termination = false
  }
  assert {
    condition     = output.queue_name == null && output.event_rules == {} && !contains(keys(output.policy_arns), "Interruption")
    error_message = "There must be no queue, no rule and no policy."
  }
}

run "a_controller_that_nobody_trusts_is_refused" {
  command = plan
  variables {
    create_pod_identity_association = false
  }
  expect_failures = [var.create_pod_identity_association]
}

run "names_that_iam_would_refuse_are_refused" {
  command = plan
  variables {
    cluster_name = "a-cluster-with-a-name-that-is-longer-than-most-of-them-are"
  }
  expect_failures = [var.iam_role_name, var.node_iam_role_name]
}

run "ids_of_the_wrong_kind_are_refused" {
  command = plan
  variables {
    cluster_name                 = "shop of ours"
    discovery_subnet_ids         = ["sg-0f20ce994969820df"]
    discovery_security_group_ids = ["subnet-0c6405113c8c6c9ff"]
    access_entry_type            = "LINUX"
    oidc_provider_arn            = "https://oidc.eks.eu-central-1.amazonaws.com/id/ABC"
    namespace                    = "Karpenter"
  }
  expect_failures = [
    var.cluster_name, var.discovery_subnet_ids, var.discovery_security_group_ids, var.access_entry_type, var.oidc_provider_arn, var.namespace,
  ]
}
