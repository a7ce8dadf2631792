package dev.millwright.addons.chartproxy;

import dev.millwright.addons.object.AddonConditions;
import dev.millwright.addons.object.AddonTypes;
import dev.millwright.addons.object.Canonical;
import dev.millwright.addons.object.ChartProxy;
import dev.millwright.addons.object.ReleaseProxy;
import dev.millwright.addons.object.Summary;
import dev.millwright.addons.object.WorkloadCluster;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.event.KubeEvent;
import dev.millwright.kube.object.Condition.Status;
import dev.millwright.kube.object.ConditionList;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Step;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// What a chart proxy's status is to say, and the write that makes it so; none when it says so
/// already.
final class ChartReport {

    /// Why the specs of release proxies are not what they should be, with the clusters concerned.
    record Issue(String reason, String cluster, String message) {}

    private static final int ISSUES_SHOWN_MAX = 5;
    private static final List<String> GRAVITY =
            List.of(
                    AddonConditions.SELECTION_FAILED,
                    AddonConditions.VALUES_FAILED,
                    AddonConditions.CREATION_FAILED,
                    AddonConditions.PROXY_DELETION_FAILED,
                    AddonConditions.REINSTALLING,
                    AddonConditions.SPECS_UPDATING);

    private static final List<String> PROBLEMS =
            List.of(
                    AddonConditions.SELECTION_FAILED,
                    AddonConditions.VALUES_FAILED,
                    AddonConditions.CREATION_FAILED,
                    AddonConditions.PROXY_DELETION_FAILED);

    private final ChartProxy chart;
    private final Instant now;
    private ConditionList conditions;

    ChartReport(ChartProxy chart, Instant now) {
        this.chart = chart;
        this.now = now;
        this.conditions = chart.object().conditions();
    }

    private void set(String type, Status status, String reason, String message) {
        conditions = conditions.with(type, status, reason, message, chart.meta().generation(), now);
    }

    ChartReport specs(List<Issue> issues) {
        if (issues.isEmpty()) {
            set(AddonConditions.SPECS_UP_TO_DATE, Status.TRUE, AddonConditions.UP_TO_DATE, "");
            return this;
        }
        var reason =
                GRAVITY.stream()
                        .filter(each -> issues.stream().anyMatch(i -> i.reason().equals(each)))
                        .findFirst()
                        .orElse(AddonConditions.SPECS_UPDATING);
        var concerned = issues.stream().filter(each -> each.reason().equals(reason)).toList();
        var lines = new ArrayList<String>();
        for (var issue : concerned.subList(0, Math.min(ISSUES_SHOWN_MAX, concerned.size()))) {
            lines.add(
                    issue.cluster().isEmpty()
                            ? issue.message()
                            : "Cluster %s: %s".formatted(issue.cluster(), issue.message()));
        }
        if (concerned.size() > ISSUES_SHOWN_MAX) {
            lines.add("and %d more".formatted(concerned.size() - ISSUES_SHOWN_MAX));
        }
        set(AddonConditions.SPECS_UP_TO_DATE, Status.FALSE, reason, String.join("; ", lines));
        return this;
    }

    ChartReport proxies(List<ReleaseProxy> proxies) {
        var parts =
                proxies.stream()
                        .map(
                                each ->
                                        new Summary.Part(
                                                each.name().name(),
                                                each.conditions().find(AddonConditions.READY)))
                        .toList();
        var summary = Summary.ofObjects("HelmReleaseProxies", parts);
        set(AddonConditions.PROXIES_READY, summary.status(), summary.reason(), summary.message());
        return this;
    }

    /// @param clusters null leaves the list as it was
    /// @param rollout null when changes go to all clusters at once
    Step step(@Nullable List<WorkloadCluster> clusters, @Nullable Tree rollout) {
        var summary =
                Summary.ofTypes(
                        List.of(
                                part(AddonConditions.SPECS_UP_TO_DATE),
                                part(AddonConditions.PROXIES_READY)));
        set(AddonConditions.READY, summary.status(), summary.reason(), summary.message());
        var tree =
                Tree.of()
                        .put("conditions", conditions.value())
                        .put("observedGeneration", chart.meta().generation());
        if (clusters != null) {
            tree.putList("matchingClusters", clusters.stream().map(ChartReport::named).toList());
        }
        if (rollout != null) {
            tree.put("rollout", rollout);
        } else if (chart.object().status().at("rollout").isPresent()) {
            tree.putNothing("rollout");
        }
        return isSaid(tree.mapping())
                ? Step.DONE
                : Step.of(new Effect.Write(patch(tree))).followedBy(told());
    }

    /// What has newly gone wrong with the specs. Proxies that are being made or changed are no
    /// news.
    private Step told() {
        var before = chart.object().conditions().find(AddonConditions.SPECS_UP_TO_DATE);
        var after = conditions.find(AddonConditions.SPECS_UP_TO_DATE);
        if (after == null || !PROBLEMS.contains(after.reason())) {
            return Step.DONE;
        }
        if (before != null
                && before.reason().equals(after.reason())
                && before.message().equals(after.message())) {
            return Step.DONE;
        }
        var subject = KubeEvent.Subject.of(AddonTypes.CHART_PROXY.type(), chart.object());
        return Step.of(
                new Effect.Publish(KubeEvent.warning(subject, after.reason(), after.message())));
    }

    private boolean isSaid(Value.Mapping wanted) {
        return wanted.fields().entrySet().stream()
                .allMatch(
                        field -> {
                            var is = chart.object().status().at(field.getKey()).value();
                            return is != null
                                    && Canonical.json(is).equals(Canonical.json(field.getValue()));
                        });
    }

    private Summary.Part part(String type) {
        return new Summary.Part(type, conditions.find(type));
    }

    private static Value.Mapping named(WorkloadCluster cluster) {
        return Tree.of("apiVersion", cluster.object().root().at("apiVersion").text(""))
                .put("kind", "Cluster")
                .put("name", cluster.name().name())
                .put("namespace", cluster.name().namespace())
                .mapping();
    }

    private ApiWrite patch(Tree tree) {
        return new ApiWrite.Patch(
                AddonTypes.CHART_PROXY.type(),
                chart.name(),
                ApiWrite.PatchKind.MERGE,
                ApiWrite.Subresource.STATUS,
                Tree.of("status", tree).mapping());
    }
}
