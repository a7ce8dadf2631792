mock_provider "helm" {}

variables {
  cluster_name           = "shop"
  queue_name             = "shop"
  karpenter_role         = "KarpenterNodeRole-shop"
  private_subnet_ids     = ["subnet-0c6405113c8c6c9ff", "subnet-0272f0cc333aceec8"]
  node_security_group_id = "sg-0f20ce994969820df"
  # Nobody is there to be asked.
  destroy_command = "true"
}

run "the_values_are_the_documents" {
  command = plan
  assert {
    condition = yamldecode(helm_release.controller.values[0]) == {
      serviceAccount = { create = true, name = "karpenter-sa" }
      settings       = { clusterName = "shop", interruptionQueue = "shop" }
      controller = {
        resources    = { requests = { cpu = "500m", memory = "1Gi" }, limits = { cpu = 1, memory = "1Gi" } }
        nodeSelector = { workload-type = "system" }
      }
      tolerations = [{ key = "workload-type", operator = "Equal", value = "system", effect = "NoSchedule" }]
    }
    error_message = "found ${helm_release.controller.values[0]}"
  }
  assert {
    condition     = [for release in [helm_release.crds, helm_release.controller, helm_release.pools] : "${release.name} ${basename(release.chart)} ${release.namespace}"] == ["karpenter-crd millwright-crd karpenter", "karpenter millwright karpenter", "karpenter-nodepools karpenter-nodepools karpenter"]
    error_message = "found ${helm_release.crds.name}, ${helm_release.controller.name}, ${helm_release.pools.name}"
  }
  assert {
    condition     = helm_release.crds.wait && helm_release.controller.skip_crds
    error_message = "The definitions come from their own chart, and are waited for."
  }
  assert {
    condition = yamldecode(helm_release.pools.values[0]) == {
      clusterName      = "shop"
      role             = "KarpenterNodeRole-shop"
      subnetIds        = ["subnet-0c6405113c8c6c9ff", "subnet-0272f0cc333aceec8"]
      securityGroupIds = ["sg-0f20ce994969820df"]
      tags             = {}
    }
    error_message = "found ${helm_release.pools.values[0]}"
  }
  assert {
    condition     = output.node_pool_names == tolist(["ondemand-pool", "spot-pool"])
    error_message = "found ${join(", ", output.node_pool_names)}"
  }
}

run "charts_of_a_repository_have_their_version" {
  command = plan
  variables {
    charts          = { repository = "oci://registry.example.com/charts", version = "0.1.0" }
    destroy_command = null
    node_pools      = { ondemand-pool = null, gpu = { spec = { weight = 5 } } }
  }
  assert {
    condition     = [for release in [helm_release.crds, helm_release.controller, helm_release.pools] : "${release.repository}/${release.chart}:${release.version}"] == [for name in ["millwright-crd", "millwright", "karpenter-nodepools"] : "oci://registry.example.com/charts/${name}:0.1.0"]
    error_message = "found ${helm_release.crds.chart}, ${helm_release.controller.chart}, ${helm_release.pools.chart}"
  }
  assert {
    condition     = output.destroy_command == "millwright destroy --yes --cluster shop"
    error_message = "found ${output.destroy_command}"
  }
  assert {
    condition     = output.node_pool_names == tolist(["gpu", "spot-pool"])
    error_message = "found ${join(", ", output.node_pool_names)}"
  }
}

run "what_cannot_work_is_refused" {
  command = plan
  variables {
    karpenter_role         = "arn:aws:iam::111122223333:role/KarpenterNodeRole-shop"
    private_subnet_ids     = []
    node_security_group_id = "subnet-0c6405113c8c6c9ff"
    node_pools             = { spot-pool = { spec = { weight = 101 } } }
    node_classes           = ["default"]
    timeout_seconds        = 0
  }
  expect_failures = [
    var.karpenter_role, var.private_subnet_ids, var.node_security_group_id, var.node_pools, var.node_classes, var.timeout_seconds,
  ]
}
