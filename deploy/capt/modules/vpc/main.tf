# The network of a cluster: public and private subnets in three zones, one way out for the private ones.

variable "cluster_name" {
  description = "Name of the EKS cluster. Tags lead from it to the network."
  type        = string
}

variable "vpc_name" {
  description = "Name of the network."
  type        = string
}

variable "environment" {
  description = "What the network is for; becomes a tag."
  type        = string
  default     = "production"
}

variable "region" {
  description = "Region that the cluster is wanted in."
  type        = string
  default     = ""
}

variable "vpc_cidr" {
  description = "Addresses of the network, between /16 and /20."
  type        = string
  default     = "10.0.0.0/16"
}

variable "single_nat_gateway" {
  description = "Whether all zones share one NAT gateway. One a zone costs three times as much and outlives the loss of a zone."
  type        = string
  default     = "true"
}

variable "tags" {
  description = "More tags of all that is made, as JSON."
  type        = string
  default     = "{}"
}

locals {
  zones    = slice(data.aws_availability_zones.available.names, 0, min(3, length(data.aws_availability_zones.available.names)))
  gateways = try(tobool(var.single_nat_gateway), true) ? 1 : length(local.zones)
  tags     = merge(try(jsondecode(var.tags), {}), { environment = var.environment })

  # By this tag the templates of the control plane and of nodes find the network again.
  cluster = { "kubernetes.io/cluster/${var.cluster_name}" = "shared" }
  # The provider's block may fix another region than the one wanted: nothing may be built there by mistake.
  is_region_right = !can(regex("^[a-z]", var.region)) || var.region == data.aws_region.current.id
}

data "aws_region" "current" {}

data "aws_availability_zones" "available" {
  state = "available"

  filter {
    name   = "opt-in-status"
    values = ["opt-in-not-required"]
  }
}

resource "aws_vpc" "this" {
  cidr_block           = var.vpc_cidr
  enable_dns_hostnames = true
  enable_dns_support   = true
  tags                 = merge(local.tags, local.cluster, { Name = var.vpc_name })

  lifecycle {
    precondition {
      condition     = local.is_region_right
      error_message = "The cluster is wanted in ${var.region}, and the ProviderConfig's provider block says ${data.aws_region.current.id}: leave region out there."
    }
  }
}

resource "aws_internet_gateway" "this" {
  vpc_id = aws_vpc.this.id
  tags   = merge(local.tags, { Name = var.vpc_name })
}

resource "aws_subnet" "public" {
  count = length(local.zones)

  vpc_id                  = aws_vpc.this.id
  availability_zone       = local.zones[count.index]
  cidr_block              = cidrsubnet(var.vpc_cidr, 4, 8 + count.index)
  map_public_ip_on_launch = true
  tags                    = merge(local.tags, local.cluster, { Name = "${var.vpc_name}-public-${local.zones[count.index]}", "kubernetes.io/role/elb" = "1" })
}

resource "aws_subnet" "private" {
  count = length(local.zones)

  vpc_id            = aws_vpc.this.id
  availability_zone = local.zones[count.index]
  cidr_block        = cidrsubnet(var.vpc_cidr, 4, count.index)
  tags = merge(local.tags, local.cluster, {
    Name                              = "${var.vpc_name}-private-${local.zones[count.index]}"
    "kubernetes.io/role/internal-elb" = "1"
    "karpenter.sh/discovery"          = var.cluster_name
  })
}

resource "aws_route_table" "public" {
  vpc_id = aws_vpc.this.id
  tags   = merge(local.tags, { Name = "${var.vpc_name}-public" })
}

resource "aws_route" "public" {
  route_table_id         = aws_route_table.public.id
  destination_cidr_block = "0.0.0.0/0"
  gateway_id             = aws_internet_gateway.this.id
}

resource "aws_route_table_association" "public" {
  count = length(local.zones)

  subnet_id      = aws_subnet.public[count.index].id
  route_table_id = aws_route_table.public.id
}

resource "aws_eip" "nat" {
  count = local.gateways

  domain = "vpc"
  tags   = merge(local.tags, { Name = "${var.vpc_name}-${local.zones[count.index]}" })

  depends_on = [aws_internet_gateway.this]
}

resource "aws_nat_gateway" "this" {
  count = local.gateways

  allocation_id = aws_eip.nat[count.index].id
  subnet_id     = aws_subnet.public[count.index].id
  tags          = merge(local.tags, { Name = "${var.vpc_name}-${local.zones[count.index]}" })

  depends_on = [aws_route.public]
}

resource "aws_route_table" "private" {
  count = local.gateways

  vpc_id = aws_vpc.this.id
  tags   = merge(local.tags, { Name = "${var.vpc_name}-private-${local.zones[count.index]}" })
}

resource "aws_route" "private" {
  count = local.gateways

  route_table_id         = aws_route_table.private[count.index].id
  destination_cidr_block = "0.0.0.0/0"
  nat_gateway_id         = aws_nat_gateway.this[count.index].id
}

resource "aws_route_table_association" "private" {
  count = length(local.zones)

  subnet_id      = aws_subnet.private[count.index].id
  route_table_id = aws_route_table.private[count.index % local.gateways].id
}

output "vpc_id" {
  description = "Id of the network."
  value       = aws_vpc.this.id

  # Who uses the network needs its ways out too.
  depends_on = [aws_route.private, aws_route_table_association.private]
}

output "azs" {
  description = "Zones of the subnets: the failure domains of the cluster."
  value       = local.zones
}

output "private_subnets" {
  description = "Ids of the private subnets."
  value       = aws_subnet.private[*].id
}

output "public_subnets" {
  description = "Ids of the public subnets."
  value       = aws_subnet.public[*].id
}

output "vpc_config" {
  description = "All of it, for the connection secret alone."
  sensitive   = true
  value = {
    vpc_id          = aws_vpc.this.id
    vpc_cidr_block  = aws_vpc.this.cidr_block
    private_subnets = aws_subnet.private[*].id
    public_subnets  = aws_subnet.public[*].id
    nat_public_ips  = aws_eip.nat[*].public_ip
  }
}
