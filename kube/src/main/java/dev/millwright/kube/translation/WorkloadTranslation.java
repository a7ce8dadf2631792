package dev.millwright.kube.translation;

import dev.millwright.core.cluster.DaemonSet;
import dev.millwright.core.cluster.DisruptionBudget;
import dev.millwright.core.cluster.PodState.Owner;
import dev.millwright.core.cluster.Workload;
import dev.millwright.core.label.Selector;
import dev.millwright.kube.document.Field;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// Objects that make, group or protect pods.
public record WorkloadTranslation(LabelTranslation labels, PodTranslation pods) {

    private static final String APPS = "apps/v1";

    public DaemonSet daemonSet(Field object, ObjectMeta meta) {
        var owner = identity(APPS, "DaemonSet", meta);
        return new DaemonSet(
                meta.name(),
                meta.uid(),
                pods.template(object.at("spec").at("template"), meta, owner));
    }

    private static Owner identity(String apiVersion, String kind, ObjectMeta meta) {
        return new Owner(apiVersion, kind, meta.name().name(), meta.uid(), true);
    }

    /// A Deployment, ReplicaSet or StatefulSet that says how many pods it wants; null when it does
    /// not.
    public @Nullable PodMaker replicated(Field object, ObjectMeta meta, String kind) {
        var spec = object.at("spec");
        var replicas = spec.at("replicas");
        if (!replicas.isPresent()) {
            return null;
        }
        var isStateful = kind.equals("StatefulSet");
        return maker(
                object,
                meta,
                identity(APPS, kind, meta),
                replicas.whole(0, PodMaker.PODS_MAX, 0),
                isStateful
                        ? spec.at("ordinals").at("start").whole(0, Integer.MAX_VALUE / 2, 0)
                        : 1);
    }

    /// A Job that has not ended: as many pods as may run at once.
    public @Nullable PodMaker job(Field object, ObjectMeta meta) {
        var spec = object.at("spec");
        var status = object.at("status");
        var isEnded =
                status.at("completionTime").isPresent()
                        || status.at("conditions").elements().stream()
                                .anyMatch(WorkloadTranslation::isEnd);
        if (isEnded || spec.at("suspend").isTrue()) {
            return null;
        }
        var parallelism = spec.at("parallelism").whole(0, PodMaker.PODS_MAX, 1);
        var completions = spec.at("completions").whole(0, PodMaker.PODS_MAX, parallelism);
        var left = Math.max(0, completions - status.at("succeeded").whole(0, PodMaker.PODS_MAX, 0));
        return maker(
                object, meta, identity("batch/v1", "Job", meta), Math.min(parallelism, left), 1);
    }

    private static boolean isEnd(Field condition) {
        var type = condition.at("type").text("");
        return (type.equals("Complete") || type.equals("Failed"))
                && condition.at("status").text("").equals("True");
    }

    private PodMaker maker(
            Field object, ObjectMeta meta, Owner identity, int count, int firstOrdinal) {
        var spec = object.at("spec");
        return new PodMaker(
                identity,
                meta.name(),
                pods.template(spec.at("template"), meta, identity),
                count,
                firstOrdinal,
                labels.selector(spec.at("selector")),
                meta.owners().stream().filter(Owner::isController).findFirst().orElse(null),
                claimTemplates(spec.at("volumeClaimTemplates")));
    }

    private static List<PodMaker.ClaimTemplate> claimTemplates(Field field) {
        var templates = new ArrayList<PodMaker.ClaimTemplate>();
        for (var template : field.elements()) {
            templates.add(
                    new PodMaker.ClaimTemplate(
                            template.at("metadata").at("name").requiredText("the claim's name"),
                            template.at("spec").at("storageClassName").text()));
        }
        return templates;
    }

    public Workload selecting(Field object, ObjectMeta meta, Workload.Kind kind) {
        return new Workload(kind, meta.name(), labels.selector(object.at("spec").at("selector")));
    }

    /// Services and ReplicationControllers select by plain labels.
    public Workload selectingByLabels(Field object, ObjectMeta meta, Workload.Kind kind) {
        var selector = object.at("spec").at("selector");
        return new Workload(
                kind,
                meta.name(),
                selector.isPresent()
                        ? Selector.ofLabels(selector.texts(ObjectMeta.LABEL_LENGTH_MAX))
                        : null);
    }

    public DisruptionBudget budget(Field object, ObjectMeta meta) {
        var spec = object.at("spec");
        return new DisruptionBudget(
                meta.name(),
                labels.selector(spec.at("selector")),
                spec.at("maxUnavailable").textOrNumber(),
                spec.at("minAvailable").textOrNumber(),
                spec.at("unhealthyPodEvictionPolicy").text("").equals("AlwaysAllow"),
                object.at("status").at("disruptionsAllowed").whole(0, Integer.MAX_VALUE, 0));
    }
}
