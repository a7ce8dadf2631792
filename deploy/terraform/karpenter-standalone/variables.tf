variable "project" {
  description = "Code name of the project; becomes the tag Project."
  type        = string
  default     = ""
}

variable "env" {
  description = "Environment, such as dev, stg, qa, prod; becomes the tag Environment."
  type        = string
  default     = ""
}

variable "region" {
  description = "Name of the region. Empty: the one of the environment or the profile."
  type        = string
  default     = ""

  validation {
    condition     = var.region == "" || can(regex("^[a-z]{2}(-[a-z]+)+-[0-9]+$", var.region))
    error_message = "region must be the name of a region, such as \"ap-northeast-2\"; a zone has one more letter."
  }
}

variable "backend_s3_bucket_name" {
  description = "Bucket of the states that eks_s3_key and infra_network_s3_key name."
  type        = string
  default     = ""

  validation {
    condition     = var.backend_s3_bucket_name != "" || (var.eks_s3_key == "" && var.infra_network_s3_key == "")
    error_message = "backend_s3_bucket_name is empty, but eks_s3_key or infra_network_s3_key names a state in it."
  }
}

variable "backend_s3_options" {
  description = "More settings of the backend s3, such as `{ use_path_style = true }`."
  type        = any
  default     = {}
}

variable "eks_s3_key" {
  description = "Key of the cluster's state. What eks_… leave empty is taken from its outputs of the same names, or of the names cluster_name, cluster_endpoint, cluster_certificate_authority_data, oidc_provider_arn."
  type        = string
  default     = ""
}

variable "infra_network_s3_key" {
  description = "Key of the network's state. The subnets in its output private_subnet_ids or private_subnets get the tag karpenter.sh/discovery."
  type        = string
  default     = ""
}

variable "eks_cluster_name" {
  description = "Name of the EKS cluster."
  type        = string
  default     = ""

  validation {
    condition     = var.eks_cluster_name != "" || var.eks_s3_key != ""
    error_message = "eks_cluster_name is empty, and eks_s3_key names no state to read it from: set one of them."
  }
}

variable "eks_endpoint_url" {
  description = "URL of the API server. Empty: EKS is asked."
  type        = string
  default     = ""

  validation {
    condition     = var.eks_endpoint_url == "" || can(regex("^https://[^/]+", var.eks_endpoint_url))
    error_message = "eks_endpoint_url must be a URL that begins with https://."
  }
}

variable "eks_cluster_certificate_authority_data" {
  description = "Certificate authority of the API server, base64. Empty: EKS is asked."
  type        = string
  default     = ""

  validation {
    condition     = can(base64decode(var.eks_cluster_certificate_authority_data))
    error_message = "eks_cluster_certificate_authority_data must be base64, as EKS tells it."
  }
}

variable "eks_oidc_provider_arn" {
  description = "ARN of the cluster's OIDC provider. Empty: the controller gets its role by EKS Pod Identity instead."
  type        = string
  default     = ""

  validation {
    condition     = var.eks_oidc_provider_arn == "" || can(regex("^arn:[^:]+:iam::[0-9]{12}:oidc-provider/.+", var.eks_oidc_provider_arn))
    error_message = "eks_oidc_provider_arn must be the ARN of an OIDC provider."
  }
}

variable "eks_oidc_provider_url" {
  description = "URL of the cluster's OIDC provider. It is in the ARN too: here it is only compared."
  type        = string
  default     = ""

  validation {
    condition     = var.eks_oidc_provider_url == "" || var.eks_oidc_provider_arn == "" || endswith(var.eks_oidc_provider_arn, ":oidc-provider/${trimprefix(var.eks_oidc_provider_url, "https://")}")
    error_message = "eks_oidc_provider_url is not the provider that eks_oidc_provider_arn names."
  }
}

variable "eks_auth_token" {
  description = "Token for the API server. Empty: one is made for the cluster's name."
  type        = string
  default     = ""
  sensitive   = true
}

variable "helm_release_name" {
  description = "Name of the release. Empty: karpenter."
  type        = string
  default     = ""

  validation {
    condition     = var.helm_release_name == "" || can(regex("^[a-z0-9]([-a-z0-9]{0,47}[a-z0-9])?$", var.helm_release_name))
    error_message = "helm_release_name must have lower-case letters, digits and \"-\", at most 49."
  }
}

variable "helm_chart_name" {
  description = "Name of the chart, or its path. Empty: the one beside this module; with a repository, millwright; with Karpenter's, karpenter."
  type        = string
  default     = ""
}

variable "helm_chart_version" {
  description = "Version of the chart, for a chart of a repository. Empty: the newest."
  type        = string
  default     = ""
}

variable "helm_repository_url" {
  description = "Repository of the charts, such as `oci://registry.example.com/charts`. Empty: helm_chart_name is a path."
  type        = string
  default     = ""

  validation {
    condition     = var.helm_repository_url == "" || can(regex("^(oci|https?)://", var.helm_repository_url))
    error_message = "helm_repository_url must begin with oci://, https:// or http://."
  }
}

variable "helm_crd_chart_name" {
  description = "Name or path of the chart with the custom resources. Empty: the one beside this module; with a repository, the name of the chart with `-crd` behind it."
  type        = string
  default     = ""
}

variable "create_namespace" {
  description = "Whether to make the namespace."
  type        = bool
  default     = true
}

variable "namespace" {
  description = "Namespace of the controller."
  type        = string
  default     = "karpenter"

  validation {
    condition     = can(regex("^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$", var.namespace))
    error_message = "namespace must be a name of Kubernetes: lower-case letters, digits and \"-\", at most 63 characters."
  }
}

variable "replica_count" {
  description = "Pods of the controller, of which one leads."
  type        = number
  default     = 2

  validation {
    condition     = var.replica_count >= 1 && floor(var.replica_count) == var.replica_count
    error_message = "replica_count must be a whole number, 1 or more."
  }
}

variable "karpenter_values" {
  description = "More values of the chart."
  type        = any
  default     = {}

  validation {
    condition     = can(keys(var.karpenter_values))
    error_message = "karpenter_values must be an object, as the chart's values are."
  }
}

variable "node_selector" {
  description = "Labels of the nodes that the controller runs on: `{ role = \"ops\" }`."
  type        = map(string)
  default     = {}
}

variable "affinity" {
  description = "Affinity of the controller's pods, as Kubernetes has it. To each of its terms for nodes is added that the node is none of the controller's own."
  type        = any
  default     = {}

  validation {
    condition     = can(keys(var.affinity))
    error_message = "affinity must be an object: { nodeAffinity = { … } }."
  }
}

variable "tolerations" {
  description = "Tolerations of the controller's pods: `[{ key = \"role\", operator = \"Equal\", value = \"ops\", effect = \"NoSchedule\" }]`."
  type        = any
  default     = {}

  validation {
    condition     = can([for toleration in var.tolerations : keys(toleration)])
    error_message = "tolerations must be a list of objects: [{ key = \"role\", operator = \"Equal\", value = \"ops\", effect = \"NoSchedule\" }]."
  }
}

variable "create_access_entry" {
  description = "Whether nodes may join by an access entry. A cluster whose authentication mode is CONFIG_MAP has none: there the role goes into the ConfigMap aws-auth, for the groups system:bootstrappers and system:nodes."
  type        = bool
  default     = true
}

variable "create_spot_service_linked_role" {
  description = "Whether to make the account's role for spot when it is missing."
  type        = bool
  default     = true
}

variable "destroy_command" {
  description = "What a destroy runs before it takes away the controller, by a shell. It must end the cluster's nodes, and fail if it cannot. Null: `millwright destroy --yes --cluster` and the cluster's name, with the kubeconfig and the credentials of AWS that it finds."
  type        = string
  default     = null
}

variable "destroy_environment" {
  description = "Environment variables of destroy_command, such as KUBECONFIG. They are kept in the state: no secrets. AWS_REGION is `region` where that is given and this does not say otherwise."
  type        = map(string)
  default     = {}
}
