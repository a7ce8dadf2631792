# As little of a network as the example needs, with the names of terraform-aws-modules/vpc. A cluster of your own has one
# already, with ways out that this one lacks.

variable "name" {
  description = "Name of the network."
  type        = string
}

variable "cidr" {
  description = "Addresses of the network."
  type        = string
  default     = "10.9.0.0/16"
}

variable "private_subnet_tags" {
  description = "Tags of the subnets."
  type        = map(string)
  default     = {}
}

data "aws_availability_zones" "available" {
  state = "available"
}

resource "aws_vpc" "this" {
  cidr_block = var.cidr
  tags       = { Name = var.name }
}

resource "aws_subnet" "private" {
  count = 3

  vpc_id            = aws_vpc.this.id
  cidr_block        = cidrsubnet(var.cidr, 3, count.index)
  availability_zone = data.aws_availability_zones.available.names[count.index]
  tags              = merge({ Name = "${var.name}-private-${count.index}" }, var.private_subnet_tags)
}

output "vpc_id" {
  description = "Id of the network."
  value       = aws_vpc.this.id
}

output "private_subnets" {
  description = "Ids of the subnets."
  value       = aws_subnet.private[*].id
}
