# This is a root module: it is applied as it is, with a file of variables, and so has its providers itself.

provider "aws" {
  region = var.region == "" ? null : var.region

  default_tags {
    tags = merge(
      var.project == "" ? {} : { Project = var.project },
      var.env == "" ? {} : { Environment = var.env },
    )
  }
}

provider "helm" {
  kubernetes = {
    host                   = local.endpoint
    cluster_ca_certificate = base64decode(local.certificate_authority)
    token                  = local.token
  }
}
