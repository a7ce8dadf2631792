variable "name" {
  description = "Name of the cluster."
  type        = string
}

variable "kubernetes_version" {
  description = "Version of Kubernetes."
  type        = string
  default     = "1.35"
}

variable "vpc_id" {
  description = "Id of the network."
  type        = string
}

variable "subnet_ids" {
  description = "Subnets of the control plane and of the node groups."
  type        = list(string)
}

variable "eks_managed_node_groups" {
  description = "Node groups by name."
  type = map(object({
    instance_types = list(string)
    capacity_type  = optional(string, "ON_DEMAND")
    min_size       = number
    max_size       = number
    desired_size   = number
    labels         = optional(map(string), {})
    taints         = optional(map(object({ key = string, value = string, effect = string })), {})
  }))
  default = {}
}

variable "node_security_group_tags" {
  description = "Tags of the nodes' security group."
  type        = map(string)
  default     = {}
}
