variable "cluster_name" {
  description = "Name of the EKS cluster. Permissions to create and delete hold for what is tagged as this cluster's."
  type        = string

  validation {
    condition     = can(regex("^[0-9A-Za-z][0-9A-Za-z_-]*$", var.cluster_name)) && length(var.cluster_name) <= 85
    error_message = "cluster_name must have letters, digits, \"-\" and \"_\" only, begin with a letter or digit, and have at most 85 characters: the policies are named after it."
  }
}

variable "node_role_arn" {
  description = "ARN of the role that nodes get. The controller may pass no other."
  type        = string
}

variable "queue_name" {
  description = "Name of the interruption queue. Null: no policy for it."
  type        = string
  default     = null
}

variable "tags" {
  description = "Tags of the policies."
  type        = map(string)
  default     = {}
}
