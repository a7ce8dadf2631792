variable "cluster_name" {
  description = "Name of the EKS cluster."
  type        = string

  validation {
    condition     = can(regex("^[0-9A-Za-z][0-9A-Za-z_-]*$", var.cluster_name)) && length(var.cluster_name) <= 85
    error_message = "cluster_name must have letters, digits, \"-\" and \"_\" only, begin with a letter or digit, and have at most 85 characters: policies are named after it."
  }
}

variable "namespace" {
  description = "Namespace of the controller's service account."
  type        = string
  default     = "kube-system"

  validation {
    condition     = can(regex("^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$", var.namespace))
    error_message = "namespace must be a name of Kubernetes: lower-case letters, digits and \"-\", at most 63 characters."
  }
}

variable "service_account" {
  description = "Name of the controller's service account. The chart's `serviceAccount.name` must be the same."
  type        = string
  default     = "karpenter"

  validation {
    condition     = can(regex("^[a-z0-9]([-.a-z0-9]{0,251}[a-z0-9])?$", var.service_account))
    error_message = "service_account must be a name of Kubernetes: lower-case letters, digits, \"-\" and \".\"."
  }
}

variable "create_pod_identity_association" {
  description = "Whether the service account gets the controller's role by EKS Pod Identity. The cluster needs the add-on eks-pod-identity-agent."
  type        = bool
  default     = true

  validation {
    condition     = var.create_pod_identity_association || var.oidc_provider_arn != null
    error_message = "create_pod_identity_association is false and oidc_provider_arn is not given: the controller could not take its role. Set one of them."
  }
}

variable "oidc_provider_arn" {
  description = "ARN of the cluster's OIDC provider. If given, the service account may take the controller's role by a web identity too (IRSA); the chart then needs the annotation in the output `service_account_annotations`."
  type        = string
  default     = null

  validation {
    condition     = var.oidc_provider_arn == null || can(regex("^arn:[^:]+:iam::[0-9]{12}:oidc-provider/.+", var.oidc_provider_arn))
    error_message = "oidc_provider_arn must be the ARN of an OIDC provider, such as \"arn:aws:iam::111122223333:oidc-provider/oidc.eks.eu-central-1.amazonaws.com/id/EXAMPLE\"."
  }
}

variable "iam_role_name" {
  description = "Name of the controller's role. Null: the cluster's name and `-karpenter`."
  type        = string
  default     = null

  validation {
    condition     = length(coalesce(var.iam_role_name, "${var.cluster_name}-karpenter")) <= 64
    error_message = "The controller's role would have more than 64 characters in its name, which IAM refuses: set iam_role_name."
  }
}

variable "iam_role_additional_policies" {
  description = "More policies of the controller's role: a name of your choice and the ARN. For instance for images that an `ssmParameter` of your own names."
  type        = map(string)
  default     = {}
}

variable "iam_role_permissions_boundary_arn" {
  description = "ARN of the policy that bounds the controller's role and the nodes'."
  type        = string
  default     = null
}

variable "create_node_iam_role" {
  description = "Whether to make the role of the nodes. If not, node_iam_role_name is one that exists."
  type        = bool
  default     = true

  validation {
    condition     = var.create_node_iam_role || var.node_iam_role_name != null
    error_message = "create_node_iam_role is false: node_iam_role_name must be the name of the role that nodes have."
  }
}

variable "node_iam_role_name" {
  description = "Name of the nodes' role. Null: `KarpenterNodeRole-` and the cluster's name."
  type        = string
  default     = null

  validation {
    condition     = length(coalesce(var.node_iam_role_name, "KarpenterNodeRole-${var.cluster_name}")) <= 64
    error_message = "The nodes' role would have more than 64 characters in its name, which IAM refuses: set node_iam_role_name."
  }
}

variable "node_iam_role_additional_policies" {
  description = "More policies of the nodes' role: a name of your choice and the ARN. One of the four that it has anyway does no harm."
  type        = map(string)
  default     = {}
}

variable "create_instance_profile" {
  description = "Whether to make an instance profile of the nodes' role. A class with `role` does without: the controller makes its own. One with `instanceProfile` needs it."
  type        = bool
  default     = true
}

variable "instance_profile_name" {
  description = "Name of the instance profile. Null: `KarpenterNodeInstanceProfile-` and the cluster's name."
  type        = string
  default     = null

  validation {
    condition     = length(coalesce(var.instance_profile_name, "KarpenterNodeInstanceProfile-${var.cluster_name}")) <= 128
    error_message = "instance_profile_name must have at most 128 characters."
  }
}

variable "create_access_entry" {
  description = "Whether nodes may join by an access entry. A cluster whose authentication mode is CONFIG_MAP has none: there the role goes into the ConfigMap aws-auth, for the groups system:bootstrappers and system:nodes."
  type        = bool
  default     = true
}

variable "access_entry_type" {
  description = "Type of the access entry: EC2_LINUX, EC2_WINDOWS, EC2 (auto mode), HYBRID_LINUX or FARGATE_LINUX."
  type        = string
  default     = "EC2_LINUX"

  validation {
    condition     = contains(["EC2_LINUX", "EC2_WINDOWS", "EC2", "HYBRID_LINUX", "FARGATE_LINUX"], var.access_entry_type)
    error_message = "access_entry_type must be EC2_LINUX, EC2_WINDOWS, EC2, HYBRID_LINUX or FARGATE_LINUX."
  }
}

variable "enable_spot_termination" {
  description = "Whether to make the queue and the rules by which the controller hears of interruptions before they happen."
  type        = bool
  default     = true
}

variable "queue_name" {
  description = "Name of the queue. Null: the cluster's."
  type        = string
  default     = null

  validation {
    condition     = can(regex("^[0-9A-Za-z_-]{1,80}$", coalesce(var.queue_name, var.cluster_name)))
    error_message = "The queue's name must have 1 to 80 letters, digits, \"-\" and \"_\": set queue_name."
  }
}

variable "queue_kms_key_id" {
  description = "Key of KMS that encrypts the queue; its policy must let events.amazonaws.com use it. Null: SQS encrypts with a key of its own."
  type        = string
  default     = null
}

variable "rule_name_prefix" {
  description = "How the names of the five rules begin. The cluster's name ends them."
  type        = string
  default     = "Karpenter"

  validation {
    condition     = can(regex("^[0-9A-Za-z._-]{0,20}$", var.rule_name_prefix))
    error_message = "rule_name_prefix must have at most 20 letters, digits, \".\", \"-\" and \"_\"."
  }
}

variable "create_spot_service_linked_role" {
  description = "Whether to make the account's role for spot when it is missing. It is looked up while planning, which a `depends_on` on this module forbids as long as something is to be made first; call the module spot-service-linked-role beside this one in that case."
  type        = bool
  default     = false
}

variable "discovery_subnet_ids" {
  description = "Subnets to tag for discovery. Their ids must be known while planning: subnets that the same configuration makes are better tagged where they are made."
  type        = set(string)
  default     = []

  validation {
    condition     = alltrue([for id in var.discovery_subnet_ids : can(regex("^subnet-[0-9a-z]+$", id))])
    error_message = "discovery_subnet_ids must hold ids of subnets, such as \"subnet-0c6405113c8c6c9ff\"."
  }
}

variable "discovery_security_group_ids" {
  description = "Security groups to tag for discovery, known while planning likewise."
  type        = set(string)
  default     = []

  validation {
    condition     = alltrue([for id in var.discovery_security_group_ids : can(regex("^sg-[0-9a-z]+$", id))])
    error_message = "discovery_security_group_ids must hold ids of security groups, such as \"sg-0f20ce994969820df\"."
  }
}

variable "discovery_tag_value" {
  description = "Value of the tag `karpenter.sh/discovery`. Null: the cluster's name."
  type        = string
  default     = null
}

variable "tags" {
  description = "Tags of all that is made."
  type        = map(string)
  default     = {}
}
