# A cluster that comes from the template with Karpenter has its release in the state. It is forgotten there and goes on running; a
# HelmChartProxy takes it over.
removed {
  from = helm_release.karpenter

  lifecycle {
    destroy = false
  }
}
