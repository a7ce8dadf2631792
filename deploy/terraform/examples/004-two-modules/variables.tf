variable "cluster_name" {
  description = "Name of the cluster, and of all that is made for it."
  type        = string
  default     = "shop"
}

variable "destroy_command" {
  description = "What a destroy runs first. Null: `millwright destroy`."
  type        = string
  default     = null
}

variable "destroy_environment" {
  description = "Environment variables of destroy_command."
  type        = map(string)
  default     = {}
}
