package dev.millwright.addons.crd;

import dev.millwright.kube.crd.CustomResources;

import java.util.List;

/// The definitions of HelmChartProxy and HelmReleaseProxy.
public final class AddonDefinitions {

    private AddonDefinitions() {}

    public static CustomResources all() {
        return CustomResources.beside(
                AddonDefinitions.class,
                List.of(
                        "helmchartproxies.addons.cluster.x-k8s.io",
                        "helmreleaseproxies.addons.cluster.x-k8s.io"));
    }
}
