variable "karpenter_chart_version" {
  description = "Version of the chart, for releases that name a repository and no version."
  type        = string
}

variable "cluster_name" {
  description = "Name of the EKS cluster."
  type        = string

  validation {
    condition     = can(regex("^[0-9A-Za-z][0-9A-Za-z_-]*$", var.cluster_name)) && length(var.cluster_name) <= 85
    error_message = "cluster_name must have letters, digits, \"-\" and \"_\" only, begin with a letter or digit, and have at most 85 characters: policies are named after it."
  }
}

variable "oidc_provider_arn" {
  description = "ARN of the cluster's OIDC provider."
  type        = string

  validation {
    condition     = can(regex("^arn:[^:]+:iam::[0-9]{12}:oidc-provider/.+", var.oidc_provider_arn))
    error_message = "oidc_provider_arn must be the ARN of an OIDC provider, such as \"arn:aws:iam::111122223333:oidc-provider/oidc.eks.eu-central-1.amazonaws.com/id/EXAMPLE\"."
  }
}

variable "oidc_issuer_url" {
  description = "URL of the cluster's OIDC issuer, with or without `https://`."
  type        = string

  validation {
    condition     = endswith(var.oidc_provider_arn, ":oidc-provider/${trimprefix(var.oidc_issuer_url, "https://")}")
    error_message = "oidc_issuer_url is not the issuer of oidc_provider_arn: service accounts of one cluster would ask for roles of another."
  }
}

variable "node_instance_profile_name" {
  description = "Name of the instance profile that nodes have. The controller may pass the role in it, and no other; classes name it by `instanceProfile`."
  type        = string

  validation {
    condition     = can(regex("^[0-9A-Za-z+=,.@_-]{1,128}$", var.node_instance_profile_name))
    error_message = "node_instance_profile_name must be the name of an instance profile, not its ARN."
  }
}

variable "cluster_endpoint" {
  description = "URL of the cluster's API server, which nodes are told."
  type        = string

  validation {
    condition     = can(regex("^https://[^/]+", var.cluster_endpoint))
    error_message = "cluster_endpoint must be a URL that begins with https://."
  }
}

variable "environment" {
  description = "Name of the environment; becomes the tag Environment where `tags` has none. Empty: no tag."
  type        = string
  default     = ""
}

variable "karpenter_configs" {
  description = "Releases: one controller that acts, beside it shadows of it (`shadow.enabled`) and the chart with the definitions (`…-crd`). A chart without a repository is a path; without either it is the one beside this module. `additional_sets` win over `values`, later values over earlier. `iam_role_key` names the role of `iam_roles`; by default it is the one with the release's key, or the only one."
  type = map(object({
    name             = string
    namespace        = string
    chart            = optional(string)
    repository       = optional(string)
    version          = optional(string)
    create_namespace = optional(bool, true)
    values           = optional(list(string), [])
    additional_sets = optional(list(object({
      name  = string
      value = string
      type  = optional(string, "string")
    })), [])
    iam_role_key = optional(string)
  }))

  validation {
    condition     = alltrue([for config in values(var.karpenter_configs) : can(regex("^[a-z0-9]([-a-z0-9]{0,51}[a-z0-9])?$", config.name))])
    error_message = "Each karpenter_configs[…].name must be a release's name: lower-case letters, digits and \"-\", at most 53."
  }

  validation {
    condition     = alltrue([for config in values(var.karpenter_configs) : can(regex("^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$", config.namespace))])
    error_message = "Each karpenter_configs[…].namespace must be a name of Kubernetes: lower-case letters, digits and \"-\", at most 63 characters."
  }

  validation {
    condition     = length(distinct([for config in values(var.karpenter_configs) : config.name])) == length(var.karpenter_configs)
    error_message = "Two of karpenter_configs have the same name: roles of the whole cluster are named after a release, so the names must differ in different namespaces too."
  }

  validation {
    condition     = alltrue(flatten([for config in values(var.karpenter_configs) : [for set in config.additional_sets : contains(["auto", "string", "literal"], set.type)]]))
    error_message = "Each additional_sets[…].type must be auto, string or literal."
  }

  validation {
    condition     = alltrue([for config in values(var.karpenter_configs) : config.iam_role_key == null ? true : contains(keys(var.iam_roles), config.iam_role_key)])
    error_message = "Each karpenter_configs[…].iam_role_key must be a key of iam_roles."
  }

  validation {
    condition     = alltrue([for key, config in var.karpenter_configs : config.iam_role_key != null || contains(keys(var.iam_roles), key) || length(var.iam_roles) <= 1])
    error_message = "There are several iam_roles: each of karpenter_configs must have a role's key, or name one by iam_role_key."
  }
}

variable "iam_roles" {
  description = "Roles of controllers. Each trusts its `service` and, by the OIDC provider, the service accounts of the releases that use it. With the service `pods.eks.amazonaws.com` these get it by EKS Pod Identity."
  type = map(object({
    name    = string
    service = optional(string, "eks.amazonaws.com")
    tags    = optional(map(string), {})
  }))

  validation {
    condition     = alltrue([for role in values(var.iam_roles) : can(regex("^[0-9A-Za-z+=,.@_-]{1,64}$", role.name))])
    error_message = "Each iam_roles[…].name must be the name of a role, at most 64 characters."
  }

  validation {
    condition     = alltrue([for role in values(var.iam_roles) : can(regex("^[a-z0-9.-]+\\.amazonaws\\.com(\\.cn)?$", role.service))])
    error_message = "Each iam_roles[…].service must be a service of AWS, such as \"eks.amazonaws.com\"."
  }
}

variable "iam_roles_attachments" {
  description = "Policies that roles have in addition to those that a controller needs."
  type = map(object({
    role_key   = string
    policy_arn = string
  }))

  validation {
    condition     = alltrue([for attachment in values(var.iam_roles_attachments) : contains(keys(var.iam_roles), attachment.role_key)])
    error_message = "Each iam_roles_attachments[…].role_key must be a key of iam_roles."
  }

  validation {
    condition     = alltrue([for attachment in values(var.iam_roles_attachments) : can(regex("^arn:[^:]+:iam::(aws|[0-9]{12}):policy/.+", attachment.policy_arn))])
    error_message = "Each iam_roles_attachments[…].policy_arn must be the ARN of a policy."
  }
}

variable "create_controller_policies" {
  description = "Whether to make the policies that a controller needs and attach them to each of iam_roles. False where karpenter-infra made them for the same cluster: names of policies are the account's."
  type        = bool
  default     = true
}

variable "interruption_queue_name" {
  description = "Name of the interruption queue. Empty: the controllers read none."
  type        = string
  default     = ""
}

variable "tags" {
  description = "Tags of all that is made in AWS."
  type        = map(string)
  default     = {}
}

variable "destroy_command" {
  description = "What a destroy runs before it takes away controllers and roles, by a shell. It must end the cluster's nodes, and fail if it cannot: the destroy stops there and may be repeated. Null: `millwright destroy --yes --cluster` and the cluster's name, with the kubeconfig and the credentials of AWS that it finds; nothing where only shadows are installed."
  type        = string
  default     = null
}

variable "destroy_environment" {
  description = "Environment variables of destroy_command, such as KUBECONFIG and AWS_REGION. They are kept in the state: no secrets."
  type        = map(string)
  default     = {}
}
