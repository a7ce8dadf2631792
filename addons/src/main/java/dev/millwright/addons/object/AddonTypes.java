package dev.millwright.addons.object;

import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.object.RawObject;

/// The kinds of the add-ons, and the marks that their objects bear.
public final class AddonTypes {

    public static final String GROUP = "addons.cluster.x-k8s.io";
    private static final String VERSION = "v1alpha1";

    public static final Kind<RawObject> CHART_PROXY =
            Kind.raw(new ResourceType(GROUP, VERSION, "helmchartproxies", "HelmChartProxy", true));
    public static final Kind<RawObject> RELEASE_PROXY =
            Kind.raw(
                    new ResourceType(
                            GROUP, VERSION, "helmreleaseproxies", "HelmReleaseProxy", true));

    public static final String CHART_PROXY_FINALIZER = "helmchartproxy." + GROUP;
    public static final String RELEASE_PROXY_FINALIZER = "helmreleaseproxy." + GROUP;

    /// On a release proxy: the chart proxy it belongs to.
    public static final String CHART_PROXY_NAME = RELEASE_PROXY_FINALIZER + "/helmchartproxy-name";

    /// On a release proxy: "true" when Helm made up the release's name.
    public static final String NAME_IS_GENERATED =
            RELEASE_PROXY_FINALIZER + "/is-release-name-generated";

    /// On a release proxy: "true" once its release was deployed.
    public static final String IS_INSTALLED =
            RELEASE_PROXY_FINALIZER + "/release-successfully-installed";

    /// On a release proxy: what its values were rendered from, a dot, and what came of it. While
    /// both hold, nothing is rendered.
    public static final String RENDERED = "millwright.dev/rendered";

    /// The key of the Secret that values stand in when one of them is secret.
    public static final String VALUES_KEY = "values";

    private AddonTypes() {}
}
