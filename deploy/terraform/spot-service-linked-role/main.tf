# EC2 starts spot instances in an account's name by a role that the account has once, or does not have yet. Two owners
# cannot both make it, and a role that is there must not be planned away as soon as the look-up finds it: a tag tells
# the role that was made here from any other.

locals {
  path     = "/aws-service-role/spot.amazonaws.com/"
  owner    = "millwright.dev/made-for"
  is_there = length(data.aws_iam_roles.spot.names) > 0
  is_ours  = local.is_there ? lookup(data.aws_iam_role.spot[0].tags, local.owner, "") == var.owner : true
}

data "aws_iam_roles" "spot" {
  name_regex  = "^AWSServiceRoleForEC2Spot$"
  path_prefix = local.path
}

data "aws_iam_role" "spot" {
  count = local.is_there ? 1 : 0
  name  = "AWSServiceRoleForEC2Spot"
}

resource "aws_iam_service_linked_role" "spot" {
  count = local.is_ours ? 1 : 0

  aws_service_name = "spot.amazonaws.com"
  description      = "EC2 starts spot instances by it."
  tags             = merge(var.tags, { (local.owner) = var.owner })
}
