package dev.millwright.cli.addons;

import dev.millwright.addons.chartproxy.ChartProxyController;
import dev.millwright.addons.chartproxy.ChartProxyPorts;
import dev.millwright.addons.chartproxy.ChartProxySettings;
import dev.millwright.addons.helm.ManagementSecrets;
import dev.millwright.addons.object.AddonConditions;
import dev.millwright.addons.object.AddonTypes;
import dev.millwright.addons.object.ChartProxy;
import dev.millwright.addons.object.ReleaseProxy;
import dev.millwright.addons.object.WorkloadCluster;
import dev.millwright.addons.port.ReleaseReading;
import dev.millwright.addons.port.Rendering;
import dev.millwright.addons.port.Surroundings;
import dev.millwright.addons.release.ReleaseController;
import dev.millwright.addons.release.ReleasePorts;
import dev.millwright.addons.release.ReleaseSettings;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.client.KubeApi;
import dev.millwright.kube.grant.ReferenceGrants;
import dev.millwright.kube.object.RawObject;
import dev.millwright.runtime.loop.EffectRunner;
import dev.millwright.runtime.loop.Outside;
import dev.millwright.runtime.metrics.Meter;
import dev.millwright.runtime.step.Controller;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/// Plays the add-ons' own controllers on a draft until they are quiet, and notes which runs of Helm
/// they would make. Every run is taken to go well.
public final class AddonsPreview {

    /// What asks the world, none of which changes it.
    public record Ports(ReleaseReading releases, Rendering rendering, Surroundings surroundings) {}

    /// Rounds of all proxies; a chain of dependencies takes five for each link.
    private static final int ROUNDS_MAX = 500;

    private final AddonsEstate estate;
    private final Set<String> wanted;
    private final View view;
    private final Draft draft;
    private final DraftReleases releases;
    private final List<Controller> controllers;
    private final EffectRunner runner;
    private final List<AddonsChange> changes = new ArrayList<>();
    private Instant now;

    /// @param wanted the chart proxies that are played, by name; none for all
    /// @param api is only read
    public AddonsPreview(
            AddonsEstate estate, Set<String> wanted, KubeApi api, Ports ports, Instant now) {
        this.estate = estate;
        this.wanted = Set.copyOf(wanted);
        this.now = now;
        this.view =
                View.only(List.of(estate.kind(), AddonTypes.CHART_PROXY, AddonTypes.RELEASE_PROXY));
        this.draft = new Draft(api, () -> this.now);
        this.releases = new DraftReleases(ports.releases(), () -> this.now);
        put(estate.kind(), estate.clusters());
        put(AddonTypes.CHART_PROXY, estate.charts());
        put(AddonTypes.RELEASE_PROXY, estate.releases());
        this.controllers =
                List.of(
                        new ChartProxyController(
                                estate.kind(),
                                new ChartProxyPorts(
                                        once(ports.rendering()), once(ports.surroundings())),
                                ChartProxySettings.DEFAULT),
                        new ReleaseController(
                                estate.kind(),
                                new ReleasePorts(
                                        releases,
                                        releases,
                                        releases,
                                        new ManagementSecrets(draft),
                                        new ReferenceGrants(draft)),
                                ReleaseSettings.of("preview")));
        this.runner =
                new EffectRunner(
                        view,
                        new Outside(
                                draft,
                                _ -> {},
                                Meter.NONE,
                                (_, _, _) -> {},
                                (_, _) -> {},
                                () -> true,
                                Outside.Mode.ACT),
                        EffectRunner.Branches.IN_ORDER);
    }

    private void put(Kind<RawObject> kind, List<RawObject> objects) {
        for (var each : objects) {
            draft.put(kind.type(), each);
            view.cache(kind).put(each.object());
        }
    }

    /// A template is asked for the same again in every round.
    private static Rendering once(Rendering rendering) {
        Map<List<Object>, List<Rendering.Answer>> known = new HashMap<>();
        return (template, inputs) ->
                known.computeIfAbsent(
                        List.of(template, inputs), _ -> rendering.render(template, inputs));
    }

    private static Surroundings once(Surroundings surroundings) {
        Map<List<ObjectName>, List<Surroundings.Answer>> known = new HashMap<>();
        return clusters ->
                known.computeIfAbsent(
                        clusters.stream().map(each -> each.name()).toList(),
                        _ -> surroundings.read(clusters));
    }

    /// What would be done, in this order, and what would be left.
    public record Outcome(List<AddonsChange> changes, List<AddonsChange.Held> held) {
        public Outcome {
            changes = List.copyOf(changes);
            held = List.copyOf(held);
        }
    }

    public Outcome play() {
        releases.askAll(concerned());
        var patience = patience();
        for (var round = 0; round < ROUNDS_MAX; round++) {
            var before = draft.changes() + releases.noted().size();
            controllers.forEach(this::round);
            if (draft.changes() + releases.noted().size() == before) {
                if (patience.isEmpty()) {
                    break;
                }
                // A wave waits until the one before it has been well for long enough.
                now = now.plus(patience.removeFirst());
            }
        }
        return new Outcome(changes, held());
    }

    private boolean isPlayed(String chart) {
        return wanted.isEmpty() || wanted.contains(chart);
    }

    /// The Clusters where something may happen.
    private Set<ObjectName> concerned() {
        var concerned = new TreeSet<ObjectName>();
        for (var each : estate.releases()) {
            var proxy = ReleaseProxy.of(each);
            if (isPlayed(proxy.chartProxy())) {
                concerned.add(proxy.cluster());
            }
        }
        for (var chart : estate.charts()) {
            var selector = ChartProxy.of(chart).selector();
            if (selector != null && isPlayed(chart.name().name())) {
                estate.clusters().stream()
                        .filter(each -> selector.matches(each.meta().labels()))
                        .filter(each -> new WorkloadCluster(each).isInitialized())
                        .forEach(each -> concerned.add(each.name()));
            }
        }
        return concerned;
    }

    /// How long to wait, at most once for each wave.
    private List<Duration> patience() {
        var waits = new ArrayList<Duration>();
        for (var each : estate.charts()) {
            var rollout = ChartProxy.of(each).rollout();
            if (rollout != null) {
                for (var wave = 0; wave <= estate.clusters().size() / rollout.atOnce(); wave++) {
                    waits.add(rollout.healthyFor().plusSeconds(1));
                }
                rollout.waves().forEach(_ -> waits.add(rollout.healthyFor().plusSeconds(1)));
            }
        }
        return waits;
    }

    private void round(Controller controller) {
        for (var name : names(controller instanceof ReleaseController)) {
            var noted = releases.noted().size();
            runner.run(controller.step(view, name, now));
            releases.noted().stream().skip(noted).forEach(this::changed);
            sweep();
        }
    }

    private Set<ObjectName> names(boolean isOfReleases) {
        var names = new TreeSet<ObjectName>();
        var kind = isOfReleases ? AddonTypes.RELEASE_PROXY : AddonTypes.CHART_PROXY;
        for (var each : view.cache(kind).all()) {
            if (isPlayed(isOfReleases ? ReleaseProxy.of(each).chartProxy() : each.name().name())) {
                names.add(each.name());
            }
        }
        return names;
    }

    /// What lost its last finalizer is gone.
    private void sweep() {
        for (var kind : List.of(AddonTypes.CHART_PROXY, AddonTypes.RELEASE_PROXY)) {
            for (var each : List.copyOf(view.cache(kind).all())) {
                if (!draft.has(kind.type(), each.name())) {
                    view.cache(kind).forget(each.name(), each.meta().uid());
                }
            }
        }
    }

    private void changed(DraftReleases.Noted noted) {
        var proxy = noted.run().proxy();
        var object = view.cache(AddonTypes.RELEASE_PROXY).find(proxy.name());
        var condition =
                object == null ? null : object.conditions().find(AddonConditions.RELEASE_READY);
        changes.add(AddonsChange.of(noted, condition == null ? "" : condition.message()));
    }

    private List<AddonsChange.Held> held() {
        var held = new ArrayList<AddonsChange.Held>();
        for (var each : view.cache(AddonTypes.RELEASE_PROXY).all()) {
            var proxy = ReleaseProxy.of(each);
            if (isPlayed(proxy.chartProxy()) && !proxy.isReady()) {
                held.add(AddonsChange.Held.of(proxy));
            }
        }
        for (var each : view.cache(AddonTypes.CHART_PROXY).all()) {
            var condition = each.conditions().find(AddonConditions.SPECS_UP_TO_DATE);
            if (isPlayed(each.name().name()) && condition != null && !condition.isTrue()) {
                held.add(
                        new AddonsChange.Held(
                                each.name().name(), "", condition.reason(), condition.message()));
            }
        }
        return held;
    }
}
