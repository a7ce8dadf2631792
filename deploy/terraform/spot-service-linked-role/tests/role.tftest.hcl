mock_provider "aws" {}

variables {
  owner = "shop"
}

run "a_role_that_is_missing_is_made" {
  override_data {
    target = data.aws_iam_roles.spot
    values = { names = [] }
  }
  assert {
    condition     = aws_iam_service_linked_role.spot[0].tags == tomap({ "millwright.dev/made-for" = "shop" })
    error_message = "The role must say for whom it was made."
  }
}

run "and_is_kept_when_the_next_plan_finds_it" {
  override_data {
    target = data.aws_iam_roles.spot
    values = { names = ["AWSServiceRoleForEC2Spot"] }
  }
  override_data {
    target = data.aws_iam_role.spot[0]
    values = { tags = { "millwright.dev/made-for" = "shop" } }
  }
  assert {
    condition     = length(aws_iam_service_linked_role.spot) == 1
    error_message = "A role of ours must not be planned away."
  }
}

run "a_role_of_somebody_else_is_left_alone" {
  override_data {
    target = data.aws_iam_roles.spot
    values = { names = ["AWSServiceRoleForEC2Spot"] }
  }
  override_data {
    target = data.aws_iam_role.spot[0]
    values = { tags = {}, arn = "arn:aws:iam::111122223333:role/theirs" }
  }
  assert {
    condition     = length(aws_iam_service_linked_role.spot) == 0 && output.arn == "arn:aws:iam::111122223333:role/theirs"
    error_message = "The role of the account serves."
  }
}
