package dev.millwright.addons.object;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.label.LabelVocabulary;
import dev.millwright.core.label.Selector;
import dev.millwright.kube.document.Faults;
import dev.millwright.kube.document.Field;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.object.Meta;
import dev.millwright.kube.object.RawObject;
import dev.millwright.kube.translation.LabelTranslation;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// A HelmChartProxy: a chart for every cluster that it selects.
///
/// @param selector null when it cannot be read, which selects nothing
/// @param dependsOn names in its own namespace
/// @param faults what is wrong with it, in words
public record ChartProxy(
        RawObject object,
        @Nullable Selector selector,
        ChartSource source,
        String releaseName,
        String namespace,
        String template,
        boolean isInstalledOnce,
        List<String> dependsOn,
        List<String> faults) {

    /// The strategy that leaves a release alone once it was deployed.
    public static final String INSTALL_ONCE = "InstallOnce";

    private static final int CLUSTERS_MOST = 10_000;
    private static final int AT_ONCE_DEFAULT = 10;
    private static final Duration HEALTHY_FOR_DEFAULT = Duration.ofMinutes(1);

    private static final LabelTranslation LABELS = new LabelTranslation(LabelVocabulary.CORE);

    /// What a release proxy's spec takes over as it is written.
    private static final List<String> HANDED_ON = List.of("options", "credentials", "tlsConfig");

    public ChartProxy {
        dependsOn = List.copyOf(dependsOn);
        faults = List.copyOf(faults);
    }

    public static ChartProxy of(RawObject object) {
        var spec = object.spec();
        var own = object.name().namespace();
        var faults = new ArrayList<String>();
        return new ChartProxy(
                object,
                selector(object, faults),
                ChartSource.of(spec, own),
                spec.at("releaseName").text(""),
                ReleaseProxy.releaseNamespace(spec.at("namespace").text("")),
                spec.at("valuesTemplate").text(""),
                INSTALL_ONCE.equals(spec.at("reconcileStrategy").text("")),
                dependsOn(spec.at("dependsOn"), own, faults),
                faults);
    }

    private static @Nullable Selector selector(RawObject object, List<String> found) {
        var faults = new Faults();
        var selector = LABELS.selector(object.root(faults).at("spec").at("clusterSelector"));
        if (!faults.isEmpty()) {
            found.add(faults.shown().getFirst().toString());
            return null;
        }
        return selector;
    }

    private static List<String> dependsOn(Field field, String own, List<String> faults) {
        var names = new ArrayList<String>();
        for (var each : field.elements()) {
            var namespace = each.at("namespace").text("");
            var name = each.at("name").text("");
            if (!namespace.isEmpty() && !namespace.equals(own)) {
                faults.add(
                        "dependsOn names %s in namespace %s; wanted one of its own namespace %s"
                                .formatted(name, namespace, own));
            } else if (!name.isEmpty()) {
                names.add(name);
            }
        }
        return names;
    }

    /// Clusters in the order they get a change; null when all get it at once.
    public @Nullable Rollout rollout() {
        var field = object.spec().at("rollout");
        if (!field.isPresent()) {
            return null;
        }
        var waves = new ArrayList<Wave>();
        for (var each : field.at("waves").elements()) {
            var chosen = LABELS.selector(each.at("clusterSelector"));
            if (chosen != null) {
                waves.add(new Wave(each.at("name").text(""), chosen));
            }
        }
        var healthyFor = GoDurations.read(field.at("healthyFor").text(""));
        return new Rollout(
                waves,
                field.at("atOnce").whole(1, CLUSTERS_MOST, AT_ONCE_DEFAULT),
                healthyFor == null ? HEALTHY_FOR_DEFAULT : healthyFor);
    }

    public record Wave(String name, Selector selector) {}

    public record Rollout(List<Wave> waves, int atOnce, Duration healthyFor) {
        public Rollout {
            waves = List.copyOf(waves);
        }

        /// The first wave that chooses the labels, or one behind all.
        public int waveOf(Map<String, String> labels) {
            for (var index = 0; index < waves.size(); index++) {
                if (waves.get(index).selector().matches(labels)) {
                    return index;
                }
            }
            return waves.size();
        }

        public String nameOf(int wave) {
            return wave < waves.size() ? waves.get(wave).name() : "rest";
        }
    }

    public Meta meta() {
        return object.meta();
    }

    public ObjectName name() {
        return object.name();
    }

    /// A part of the spec that goes to the release proxies as it is; null when it is not there.
    public @Nullable Value handedOn(String field) {
        if (!HANDED_ON.contains(field)) {
            throw new IllegalArgumentException(
                    "field %s is not handed on; wanted one of %s".formatted(field, HANDED_ON));
        }
        return object.spec().at(field).value();
    }

    @Override
    public String toString() {
        return "HelmChartProxy " + name();
    }
}
