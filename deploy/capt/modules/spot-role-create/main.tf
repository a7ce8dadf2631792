# The role by which EC2 starts spot instances. All clusters of the account use it: it stays when a cluster goes. The
# resources below are those of deploy/terraform/spot-service-linked-role, which leaves a role that is there alone.

variable "cluster_name" {
  description = "Name of the cluster for which it is made."
  type        = string
  default     = "capt"
}

variable "region" {
  description = "Region of the cluster. IAM has none, and the provider wants one."
  type        = string
  default     = ""
}

locals {
  # The inputs of that module.
  spot_role = {
    owner = startswith(var.cluster_name, "$") ? "capt" : var.cluster_name
    tags  = {}
  }
}

output "role_arn" {
  description = "ARN of the role, whoever made it."
  value       = local.is_ours ? aws_iam_service_linked_role.spot[0].arn : data.aws_iam_role.spot[0].arn
}
