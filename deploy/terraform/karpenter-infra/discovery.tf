# By these tags a class finds where nodes may be: `subnetSelectorTerms` and `securityGroupSelectorTerms`.

resource "aws_ec2_tag" "discovery" {
  for_each = setunion(var.discovery_subnet_ids, var.discovery_security_group_ids)

  resource_id = each.value
  key         = "karpenter.sh/discovery"
  value       = coalesce(var.discovery_tag_value, var.cluster_name)
}
