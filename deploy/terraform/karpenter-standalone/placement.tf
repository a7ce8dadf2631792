# Where the controller runs. A controller on a node that it may end ends itself, and nobody is left to start another node:
# what would choose such nodes is refused, and what might is told to leave them out.

locals {
  asked_affinity = merge(try(var.karpenter_values.affinity, {}), var.affinity)
  asked_terms    = try(local.asked_affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms, [])

  asked_keys = {
    "node_selector"                            = keys(var.node_selector)
    "karpenter_values.nodeSelector"            = try(keys(var.karpenter_values.nodeSelector), [])
    "karpenter_values.controller.nodeSelector" = try(keys(var.karpenter_values.controller.nodeSelector), [])
    "affinity" = flatten([
      for term in concat(
        [for term in local.asked_terms : term],
        [for wish in try(local.asked_affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution, []) : try(wish.preference, {})],
      ) : [for expression in try(term.matchExpressions, []) : expression.key if !contains(["DoesNotExist", "NotIn"], expression.operator)]
    ])
    "tolerations"                  = [for toleration in var.tolerations : try(toleration.key, "")]
    "karpenter_values.tolerations" = [for toleration in try(var.karpenter_values.tolerations, []) : try(toleration.key, "")]
  }
  # The label karpenter.sh/controller is one that people give to the nodes for the controller.
  refused = flatten([
    for place, names in local.asked_keys : [
      for name in names : "${place} has ${name}" if can(regex("^karpenter\\.(sh|k8s\\.aws)/", name)) && name != "karpenter.sh/controller"
    ]
  ])

  not_ours = [
    { key = "karpenter.sh/nodepool", operator = "DoesNotExist" },
    { key = "karpenter.sh/provisioner-name", operator = "DoesNotExist" },
  ]
  # Each term by itself admits a node, so each must say it. Without a term of the user's there is one of ours.
  terms = [
    for term in concat([for term in local.asked_terms : term], [for term in [{}] : term if length(local.asked_terms) == 0]) :
    merge(term, { matchExpressions = concat(try(term.matchExpressions, []), local.not_ours) })
  ]

  placement = merge(
    {
      affinity = merge(local.asked_affinity, {
        nodeAffinity = merge(try(local.asked_affinity.nodeAffinity, {}), {
          requiredDuringSchedulingIgnoredDuringExecution = { nodeSelectorTerms = local.terms }
        })
      })
    },
    length(var.node_selector) == 0 ? {} : { nodeSelector = var.node_selector },
    length(var.tolerations) == 0 ? {} : { tolerations = [for toleration in var.tolerations : toleration] },
  )
}
