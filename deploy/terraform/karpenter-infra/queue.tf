# EventBridge tells of interruptions, the queue keeps them, the controller reads them.

data "aws_region" "current" {}
data "aws_caller_identity" "current" {}

locals {
  queue_name = coalesce(var.queue_name, var.cluster_name)
  queue_arn  = "arn:${data.aws_partition.current.partition}:sqs:${data.aws_region.current.id}:${data.aws_caller_identity.current.account_id}:${local.queue_name}"

  rules = {
    ScheduledChangeRule                 = { source = "aws.health", detail-type = "AWS Health Event" }
    SpotInterruptionRule                = { source = "aws.ec2", detail-type = "EC2 Spot Instance Interruption Warning" }
    RebalanceRule                       = { source = "aws.ec2", detail-type = "EC2 Instance Rebalance Recommendation" }
    InstanceStateChangeRule             = { source = "aws.ec2", detail-type = "EC2 Instance State-change Notification" }
    CapacityReservationInterruptionRule = { source = "aws.ec2", detail-type = "EC2 Capacity Reservation Instance Interruption Warning" }
  }
  # EventBridge takes 64 characters: a longer name is cut and ends with a hash of the whole.
  rule_names = { for rule in keys(local.rules) : rule => "${var.rule_name_prefix}${rule}-${var.cluster_name}" }
  rule_short = { for rule, name in local.rule_names : rule => length(name) <= 64 ? name : "${substr(name, 0, 55)}-${substr(sha256(name), 0, 8)}" }
}

resource "aws_sqs_queue" "this" {
  count = var.enable_spot_termination ? 1 : 0

  name                      = local.queue_name
  message_retention_seconds = 300
  sqs_managed_sse_enabled   = var.queue_kms_key_id == null ? true : null
  kms_master_key_id         = var.queue_kms_key_id
  tags                      = var.tags

  # Here and not as a resource of its own: the provider waits half a minute for each.
  policy = jsonencode({
    Version = "2012-10-17"
    Id      = "EC2InterruptionPolicy"
    Statement = [
      {
        Sid       = "AllowEvents"
        Effect    = "Allow"
        Principal = { Service = "events.amazonaws.com" }
        Action    = "sqs:SendMessage"
        Resource  = local.queue_arn
        # EventBridge would send here for a rule of any account.
        Condition = {
          StringEquals = { "aws:SourceAccount" = data.aws_caller_identity.current.account_id }
          ArnLike      = { "aws:SourceArn" = "arn:${data.aws_partition.current.partition}:events:${data.aws_region.current.id}:${data.aws_caller_identity.current.account_id}:rule/*" }
        }
      },
      {
        Sid       = "DenyHTTP"
        Effect    = "Deny"
        Principal = "*"
        Action    = "sqs:*"
        Resource  = local.queue_arn
        Condition = { Bool = { "aws:SecureTransport" = "false" } }
      },
    ]
  })
}

resource "aws_cloudwatch_event_rule" "this" {
  for_each = var.enable_spot_termination ? local.rules : {}

  name          = local.rule_short[each.key]
  description   = "Tells the node autoscaler of the EKS cluster ${var.cluster_name}: ${each.value["detail-type"]}"
  event_pattern = jsonencode({ source = [each.value.source], detail-type = [each.value["detail-type"]] })
  tags          = var.tags
}

resource "aws_cloudwatch_event_target" "this" {
  for_each = aws_cloudwatch_event_rule.this

  rule      = each.value.name
  target_id = "KarpenterInterruptionQueueTarget"
  arn       = aws_sqs_queue.this[0].arn
}
