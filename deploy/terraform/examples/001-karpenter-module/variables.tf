variable "cluster_name" {
  description = "Name of an EKS cluster that exists."
  type        = string
}

variable "chart" {
  description = "Path of the chart, or its name in the repository. Null: the chart beside the modules."
  type        = string
  default     = null
}

variable "repository" {
  description = "Repository of the chart, such as `oci://registry.example.com/charts`."
  type        = string
  default     = null
}

variable "chart_version" {
  description = "Version of the chart in the repository."
  type        = string
  default     = null
}

variable "destroy_command" {
  description = "What a destroy runs first. Null: `millwright destroy` for the cluster."
  type        = string
  default     = null
}

variable "destroy_environment" {
  description = "Environment variables of the destroy command, such as KUBECONFIG."
  type        = map(string)
  default     = {}
}
