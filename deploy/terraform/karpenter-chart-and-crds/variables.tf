variable "cluster_name" {
  description = "Name of the EKS cluster."
  type        = string

  validation {
    condition     = can(regex("^[0-9A-Za-z][0-9A-Za-z_-]{0,99}$", var.cluster_name))
    error_message = "cluster_name must be the name of an EKS cluster: letters, digits, \"-\" and \"_\", at most 100."
  }
}

variable "queue_name" {
  description = "Name of the interruption queue: `queue_name` of karpenter-infra. Null: the controller reads no queue."
  type        = string
}

variable "karpenter_role" {
  description = "Name of the nodes' role: `node_iam_role_name` of karpenter-infra."
  type        = string

  validation {
    condition     = can(regex("^[0-9A-Za-z+=,.@_-]{1,64}$", var.karpenter_role))
    error_message = "karpenter_role must be the name of a role, not its ARN."
  }
}

variable "private_subnet_ids" {
  description = "Subnets that nodes are launched in."
  type        = list(string)

  validation {
    condition     = length(var.private_subnet_ids) > 0 && length(var.private_subnet_ids) <= 30
    error_message = "private_subnet_ids must name 1 to 30 subnets: without one no node can be launched, and a class takes no more."
  }
}

variable "node_security_group_id" {
  description = "Security group of the nodes."
  type        = string

  validation {
    condition     = can(regex("^sg-[0-9a-z]+$", var.node_security_group_id))
    error_message = "node_security_group_id must be the id of a security group, such as \"sg-0f20ce994969820df\"."
  }
}

variable "release_name" {
  description = "Name of the controller's release. The releases of the custom resources and of the pools are named after it."
  type        = string
  default     = "karpenter"

  validation {
    condition     = can(regex("^[a-z0-9]([-a-z0-9]{0,40}[a-z0-9])?$", var.release_name))
    error_message = "release_name must have lower-case letters, digits and \"-\", at most 42."
  }
}

variable "namespace" {
  description = "Namespace of the controller: `namespace` of karpenter-infra."
  type        = string
  default     = "karpenter"

  validation {
    condition     = can(regex("^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$", var.namespace))
    error_message = "namespace must be a name of Kubernetes: lower-case letters, digits and \"-\", at most 63 characters."
  }
}

variable "create_namespace" {
  description = "Whether to make the namespace."
  type        = bool
  default     = true
}

variable "service_account" {
  description = "Name of the controller's service account: `service_account` of karpenter-infra."
  type        = string
  default     = "karpenter-sa"
}

variable "charts" {
  description = "Where the charts are. Without a repository they are those beside this module, or paths. With one, such as `oci://registry.example.com/charts`, they are names there, of the version given."
  type = object({
    repository = optional(string)
    version    = optional(string)
    controller = optional(string)
    crds       = optional(string)
    nodepools  = optional(string)
  })
  default = {}
}

variable "values" {
  description = "More values of the controller's chart, as YAML. Later ones win, and all win over karpenter-values.tpl."
  type        = list(string)
  default     = []
}

variable "timeout_seconds" {
  description = "How long each release may take until its objects are ready."
  type        = number
  default     = 300

  validation {
    condition     = var.timeout_seconds >= 10 && floor(var.timeout_seconds) == var.timeout_seconds
    error_message = "timeout_seconds must be a whole number, 10 or more."
  }
}

variable "tags" {
  description = "Tags of AWS for all that is launched."
  type        = map(string)
  default     = {}
}

variable "node_classes" {
  description = "EC2NodeClasses by name, as the chart karpenter-nodepools takes them: `{ default = { spec = { … } } }`. They are laid over its class `default`, which has the newest Amazon Linux 2023; role, subnets and security group are filled in. Null takes a class away."
  type        = any
  default     = {}

  validation {
    condition     = can(keys(var.node_classes))
    error_message = "node_classes must be a map from a class's name to { spec = … }."
  }
}

variable "node_pools" {
  description = "NodePools by name, as the chart karpenter-nodepools takes them: `{ spot-pool = { spec = { … } } }`. They are laid over its pools `spot-pool` (asked first) and `ondemand-pool`; lists replace lists. Null takes a pool away."
  type        = any
  default     = {}

  validation {
    condition     = can(keys(var.node_pools))
    error_message = "node_pools must be a map from a pool's name to { spec = … }."
  }

  validation {
    condition = alltrue([
      for pool in try(values(var.node_pools), []) : try(pool.spec.weight, null) == null ? true : try(pool.spec.weight >= 1 && pool.spec.weight <= 100, false)
    ])
    error_message = "Each pool's spec.weight must be 1 to 100."
  }
}

variable "destroy_command" {
  description = "What a destroy runs before it takes away pools and controller, by a shell. It must end the cluster's nodes, and fail if it cannot: the destroy stops there and may be repeated. Null: `millwright destroy --yes --cluster` and the cluster's name, with the kubeconfig and the credentials of AWS that it finds."
  type        = string
  default     = null
}

variable "destroy_environment" {
  description = "Environment variables of destroy_command, such as KUBECONFIG and AWS_REGION. They are kept in the state: no secrets."
  type        = map(string)
  default     = {}
}
