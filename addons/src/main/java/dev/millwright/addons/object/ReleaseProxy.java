package dev.millwright.addons.object;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.object.ConditionList;
import dev.millwright.kube.object.Meta;
import dev.millwright.kube.object.RawObject;

import org.jspecify.annotations.Nullable;

/// A HelmReleaseProxy: one release on one cluster.
///
/// @param values the rendered ones, unless they stand in a Secret
/// @param revision the last one that was ours to see; 0 when there was none
public record ReleaseProxy(
        RawObject object,
        ObjectName cluster,
        ChartSource source,
        String releaseName,
        String namespace,
        String values,
        @Nullable ValuesSecret valuesSecret,
        boolean isInstalledOnce,
        HelmOptions options,
        long revision) {

    /// A key of a Secret in the proxy's namespace.
    public record ValuesSecret(String name, String key) {}

    public static ReleaseProxy of(RawObject object) {
        var spec = object.spec();
        var own = object.name().namespace();
        var cluster = spec.at("clusterRef");
        var clusterNamespace = cluster.at("namespace").text("");
        var secret = spec.at("valuesSecretRef").at("name").text("");
        var revision = object.status().at("revision").whole(0, Long.MAX_VALUE);
        return new ReleaseProxy(
                object,
                new ObjectName(
                        clusterNamespace.isEmpty() ? own : clusterNamespace,
                        cluster.at("name").text("")),
                ChartSource.of(spec, own),
                spec.at("releaseName").text(""),
                releaseNamespace(spec.at("namespace").text("")),
                spec.at("values").text(""),
                secret.isEmpty()
                        ? null
                        : new ValuesSecret(
                                secret, spec.at("valuesSecretRef").at("key").text("values")),
                ChartProxy.INSTALL_ONCE.equals(spec.at("reconcileStrategy").text("")),
                HelmOptions.of(spec.at("options")),
                revision == null ? 0 : revision);
    }

    static String releaseNamespace(String written) {
        return written.isEmpty() ? "default" : written;
    }

    public Meta meta() {
        return object.meta();
    }

    public ObjectName name() {
        return object.name();
    }

    /// The chart proxy it belongs to.
    public String chartProxy() {
        return meta().label(AddonTypes.CHART_PROXY_NAME);
    }

    public boolean hasGeneratedName() {
        return "true".equals(meta().annotation(AddonTypes.NAME_IS_GENERATED));
    }

    /// Whether its release was deployed once.
    public boolean wasInstalled() {
        return "true".equals(meta().annotation(AddonTypes.IS_INSTALLED));
    }

    public ConditionList conditions() {
        return object.conditions();
    }

    public long observedGeneration() {
        var generation = object.status().at("observedGeneration").whole(0, Long.MAX_VALUE);
        return generation == null ? 0 : generation;
    }

    /// Whether what it says of itself is about its spec as it is now.
    public boolean isObserved() {
        return observedGeneration() == meta().generation();
    }

    public boolean isReady() {
        return isObserved() && conditions().isTrue(AddonConditions.READY);
    }

    @Override
    public String toString() {
        return "HelmReleaseProxy " + name();
    }
}
