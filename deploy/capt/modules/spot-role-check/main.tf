# Whether the account has the role by which EC2 starts spot instances. It makes nothing.

variable "region" {
  description = "Region of the cluster. IAM has none, and the provider wants one."
  type        = string
  default     = ""
}

data "aws_iam_roles" "spot" {
  name_regex  = "^AWSServiceRoleForEC2Spot$"
  path_prefix = "/aws-service-role/spot.amazonaws.com/"
}

output "role_exists" {
  description = "Whether the role is there."
  value       = length(data.aws_iam_roles.spot.names) > 0
}
