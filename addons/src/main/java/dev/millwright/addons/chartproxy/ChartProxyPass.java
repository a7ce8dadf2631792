package dev.millwright.addons.chartproxy;

import dev.millwright.addons.chartproxy.ChartReport.Issue;
import dev.millwright.addons.graph.Gate;
import dev.millwright.addons.object.AddonConditions;
import dev.millwright.addons.object.ChartProxy;
import dev.millwright.addons.object.ReleaseProxy;
import dev.millwright.addons.object.WorkloadCluster;
import dev.millwright.addons.port.Rendering;
import dev.millwright.addons.port.Surroundings;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.object.RawObject;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Effect.Ask.Touch;
import dev.millwright.runtime.step.Step;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/// One look at a chart proxy: selects clusters, has values rendered that are not yet, writes the
/// release proxies that differ, and says what came of it. What goes wrong with one cluster is noted
/// and stops no other.
final class ChartProxyPass {

    private static final int WRITES_AT_ONCE = 10;

    /// After what only a change of some object mends, of which not all are watched.
    private static final Duration LOOK_AGAIN = Duration.ofMinutes(1);

    private static final Rendering.Answer EMPTY = new Rendering.Answer.Text("");
    private static final Surroundings.Answer NOT_ASKED =
            new Surroundings.Answer.Found(null, null, Tree.of().mapping(), List.of(), "");

    private final ChartProxy chart;
    private final ChartProxyPorts ports;
    private final Instant now;
    private final Neighbours neighbours;
    private final List<WorkloadCluster> selected = new ArrayList<>();
    private final List<Issue> failedWrites = Collections.synchronizedList(new ArrayList<>());
    private final List<Issue> issues = Collections.synchronizedList(new ArrayList<>());

    ChartProxyPass(
            ChartProxy chart,
            View view,
            Kind<RawObject> clusters,
            ChartProxyPorts ports,
            Instant now) {
        this.chart = chart;
        this.ports = ports;
        this.now = now;
        this.neighbours = new Neighbours(chart, view);
        var selector = chart.selector();
        for (var each : view.cache(clusters).all()) {
            if (selector != null
                    && each.name().namespace().equals(chart.name().namespace())
                    && selector.matches(each.meta().labels())) {
                selected.add(new WorkloadCluster(each));
            }
        }
    }

    private ProxyWrites.Failures failures(String cluster) {
        return (reason, message) -> {
            var issue = new Issue(reason, cluster, message);
            issues.add(issue);
            failedWrites.add(issue);
        };
    }

    /// The proxy is being deleted: its release proxies go first, each with its release.
    Step removed() {
        var own = neighbours.own();
        if (own.isEmpty()) {
            return Step.of(new Effect.Write(ChartProxyController.finalizer(chart, false)));
        }
        var deletions =
                own.stream().filter(each -> !each.meta().isDeleting()).map(this::deletion).toList();
        return Step.of(new Effect.Together(deletions, WRITES_AT_ONCE)).followedBy(ended(null));
    }

    private Step deletion(ReleaseProxy proxy) {
        return ProxyWrites.delete(
                proxy, failures(proxy.cluster().name()), AddonConditions.PROXY_DELETION_FAILED);
    }

    Step kept() {
        for (var fault : chart.faults()) {
            issues.add(new Issue(AddonConditions.SELECTION_FAILED, "", fault));
        }
        if (!chart.faults().isEmpty()) {
            return ended(null);
        }
        // A paused Cluster is left alone, and one that is going takes its releases with it.
        var active =
                selected.stream()
                        .filter(each -> !each.isPaused() && !each.meta().isDeleting())
                        .toList();
        return Step.of(
                new Effect.Together(deselected(), WRITES_AT_ONCE),
                new Effect.Ask<>(
                        "what the Clusters of %s refer to".formatted(chart.name()),
                        Touch.READS,
                        () -> surroundings(active),
                        answers -> rendered(active, answers)));
    }

    /// Nobody is asked for what no template reads.
    private List<Surroundings.Answer> surroundings(List<WorkloadCluster> active) {
        return chart.template().isEmpty()
                ? active.stream().map(_ -> NOT_ASKED).toList()
                : ports.surroundings().read(active);
    }

    private List<Step> deselected() {
        var names = new TreeSet<String>();
        selected.forEach(each -> names.add(each.name().name()));
        if (chart.isInstalledOnce()) {
            return List.of();
        }
        return neighbours.own().stream()
                .filter(each -> !names.contains(each.cluster().name()))
                .filter(each -> !each.meta().isDeleting())
                .map(this::deletion)
                .toList();
    }

    private Step rendered(List<WorkloadCluster> active, List<Surroundings.Answer> answers) {
        var values = new TreeMap<String, Values>();
        var inputs = new ArrayList<ValuesInput>();
        for (var index = 0; index < active.size(); index++) {
            var cluster = active.get(index);
            var name = cluster.name().name();
            switch (answers.get(index)) {
                case Surroundings.Answer.Failed(var message) ->
                        values.put(name, new Values.Failed(message));
                case Surroundings.Answer.Found found -> {
                    var input = new ValuesInput(chart.template(), cluster, found);
                    var own = neighbours.own(name);
                    if (own.size() == 1 && Values.areOf(own.getFirst(), input.source())) {
                        values.put(name, new Values.Unchanged());
                    } else {
                        inputs.add(input);
                    }
                }
            }
        }
        if (inputs.isEmpty()) {
            return changed(active, values);
        }
        return Step.of(
                new Effect.Ask<>(
                        "the values of " + chart.name(),
                        Touch.READS,
                        () -> answered(inputs),
                        rendered -> {
                            values.putAll(rendered);
                            return changed(active, values);
                        }));
    }

    /// Twice where there are secrets: whether the values depend on them, only the rendering tells.
    private Map<String, Values> answered(List<ValuesInput> inputs) {
        var dots = new ArrayList<Value.Mapping>();
        for (var input : inputs) {
            dots.add(input.dot(true));
            if (input.hasSecrets()) {
                dots.add(input.dot(false));
            }
        }
        List<Rendering.Answer> answers =
                chart.template().isEmpty()
                        ? dots.stream().<Rendering.Answer>map(_ -> EMPTY).toList()
                        : ports.rendering().render(chart.template(), dots);
        var values = new TreeMap<String, Values>();
        var next = answers.iterator();
        for (var input : inputs) {
            var real = next.next();
            var masked = input.hasSecrets() ? next.next() : real;
            values.put(input.cluster().name().name(), input.values(real, masked));
        }
        return values;
    }

    private Step changed(List<WorkloadCluster> active, Map<String, Values> values) {
        var planned = new ArrayList<Planned>();
        for (var cluster : active) {
            var its = values.getOrDefault(cluster.name().name(), new Values.Unchanged());
            if (its instanceof Values.Failed(var message)) {
                issues.add(
                        new Issue(AddonConditions.VALUES_FAILED, cluster.name().name(), message));
            } else {
                var spec = new ProxySpec(chart, cluster);
                var change = spec.change(neighbours.own(cluster.name().name()), its);
                planned.add(new Planned(spec, its, change));
            }
        }
        var rollout = new Rolling(chart, neighbours, now);
        var allowed = rollout.allowed(planned);
        var steps = new ArrayList<Step>();
        for (var each : planned) {
            steps.add(stepOf(each, allowed));
        }
        return Step.of(new Effect.Together(steps, WRITES_AT_ONCE))
                .followedBy(ended(rollout))
                .thenAgain(rollout.lookAgain());
    }

    /// What is planned for one cluster.
    record Planned(ProxySpec spec, Values values, ProxyChange change) {
        String cluster() {
            return spec.cluster().name().name();
        }

        boolean isChange() {
            return change instanceof ProxyChange.Create
                    || change instanceof ProxyChange.Update
                    || change instanceof ProxyChange.Reinstall;
        }
    }

    private Step stepOf(Planned planned, Rolling.Allowed allowed) {
        var cluster = planned.cluster();
        if (planned.isChange()) {
            var held = held(planned, allowed);
            if (held != null) {
                issues.add(held);
                return Step.DONE;
            }
        }
        var failures = failures(cluster);
        return switch (planned.change()) {
            case ProxyChange.None() -> {
                var own = neighbours.own(cluster);
                if (!own.isEmpty() && !own.getFirst().isObserved()) {
                    issues.add(updating(cluster, "its release proxy has not been looked at yet"));
                }
                yield Step.DONE;
            }
            case ProxyChange.Create() -> {
                issues.add(updating(cluster, "its release proxy is made"));
                yield ProxyWrites.create(
                        planned.spec(),
                        planned.values(),
                        failures,
                        AddonConditions.CREATION_FAILED);
            }
            case ProxyChange.Update update -> {
                issues.add(updating(cluster, "its release proxy is changed"));
                yield ProxyWrites.update(
                        planned.spec(),
                        planned.values(),
                        update,
                        failures,
                        AddonConditions.CREATION_FAILED);
            }
            case ProxyChange.Reinstall(var proxy) -> {
                issues.add(
                        new Issue(
                                AddonConditions.REINSTALLING,
                                cluster,
                                "the chart, its repository, the namespace or the release's name is another"));
                yield ProxyWrites.delete(proxy, failures, AddonConditions.PROXY_DELETION_FAILED);
            }
            case ProxyChange.Leaving() -> {
                issues.add(
                        new Issue(
                                AddonConditions.REINSTALLING,
                                cluster,
                                "its old release proxy is being deleted"));
                yield Step.DONE;
            }
            case ProxyChange.Doubled(var names) -> {
                issues.add(
                        new Issue(
                                AddonConditions.CREATION_FAILED,
                                cluster,
                                "has release proxies %s; wanted one, so delete the others"
                                        .formatted(names)));
                yield Step.DONE;
            }
        };
    }

    private static Issue updating(String cluster, String message) {
        return new Issue(AddonConditions.SPECS_UPDATING, cluster, message);
    }

    private @Nullable Issue held(Planned planned, Rolling.Allowed allowed) {
        var cluster = planned.cluster();
        return switch (neighbours.gate(planned.spec().cluster())) {
            case Gate.Waits waits -> updating(cluster, waits.explain());
            case Gate.Blocked(var message) ->
                    new Issue(AddonConditions.CREATION_FAILED, cluster, message);
            case Gate.Open() ->
                    allowed.contains(cluster) ? null : updating(cluster, allowed.message());
        };
    }

    /// The last word, once all writes have been tried.
    private Step ended(@Nullable Rolling rollout) {
        return Step.of(
                new Effect.Ask<>(
                        "what came of " + chart.name(),
                        Touch.READS,
                        () -> List.copyOf(issues),
                        found -> reported(found, rollout)));
    }

    private Step reported(List<Issue> found, @Nullable Rolling rollout) {
        var said =
                new ChartReport(chart, now)
                        .specs(found)
                        .proxies(neighbours.own())
                        .step(
                                chart.meta().isDeleting() ? null : selected,
                                rollout == null ? null : rollout.status());
        if (!failedWrites.isEmpty()) {
            return said.thenFailed(failedWrites.getFirst().message());
        }
        var isWell =
                found.stream()
                        .allMatch(
                                each ->
                                        each.reason().equals(AddonConditions.SPECS_UPDATING)
                                                || each.reason()
                                                        .equals(AddonConditions.REINSTALLING));
        return isWell ? said : said.thenAgain(LOOK_AGAIN);
    }
}
