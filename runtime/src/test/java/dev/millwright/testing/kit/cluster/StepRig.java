package dev.millwright.testing.kit.cluster;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.DocumentReader;
import dev.millwright.kube.document.Position;
import dev.millwright.kube.document.Source;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.event.KubeEvent;
import dev.millwright.kube.object.KubeObject;
import dev.millwright.kube.object.RawObject;
import dev.millwright.kube.tree.Trees;
import dev.millwright.runtime.log.LogLevel;
import dev.millwright.runtime.loop.EffectRunner;
import dev.millwright.runtime.loop.Outside;
import dev.millwright.runtime.metrics.GaugeSample;
import dev.millwright.runtime.metrics.Meter;
import dev.millwright.runtime.metrics.MetricFamily;
import dev.millwright.runtime.step.Controller;
import dev.millwright.runtime.step.Step;
import dev.millwright.runtime.step.Step.Ending;
import dev.millwright.testing.kit.FakeClock;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Runs steps by hand against a cluster in memory and shows what came of them, whichever operator
/// they belong to.
public final class StepRig {

    /// A line of the log.
    public record Line(LogLevel level, String message, List<Object> keyValues) {}

    /// A key that a step wants another controller to look at.
    public record Ring(String controller, ObjectName key) {}

    private final FakeClock clock;
    private final FakeApi api;
    private final List<ResourceType> types;
    private final View view;
    private final EffectRunner runner;
    private final List<KubeEvent> events = new ArrayList<>();
    private final List<Line> lines = new ArrayList<>();
    private final List<Ring> rings = new ArrayList<>();
    private final Map<String, Double> counts = new TreeMap<>();
    private final Map<String, List<Double>> observations = new TreeMap<>();
    private final Map<String, List<GaugeSample>> gauges = new TreeMap<>();

    /// @param types of the objects that may be applied
    /// @param externals carries out what only one product's steps want done
    public StepRig(
            FakeClock clock,
            List<ResourceType> types,
            View view,
            Outside.Externals externals,
            Outside.Mode mode) {
        this.clock = clock;
        this.api = new FakeApi(clock);
        this.types = List.copyOf(types);
        this.view = view;
        api.listen(this::changed);
        runner =
                new EffectRunner(
                        view,
                        new Outside(
                                api,
                                externals,
                                events::add,
                                meter(),
                                (level, message, keyValues) ->
                                        lines.add(new Line(level, message, keyValues)),
                                (controller, key) -> rings.add(new Ring(controller, key)),
                                () -> true,
                                mode),
                        EffectRunner.Branches.IN_ORDER);
    }

    /// For an operator that keeps these kinds alone and has no effects of its own.
    public static StepRig keeping(List<Kind<RawObject>> kinds) {
        var types = new ArrayList<>(List.of(ResourceType.SECRET, ResourceType.CONFIG_MAP));
        kinds.forEach(kind -> types.add(kind.type()));
        return new StepRig(
                new FakeClock(),
                types,
                View.only(List.copyOf(kinds)),
                Outside.Externals.NONE,
                Outside.Mode.ACT);
    }

    private void changed(ResourceType type, Value.Mapping latest, boolean isGone) {
        for (var cache : view.caches(type)) {
            if (isGone) {
                cache.remove(latest);
            } else {
                cache.put(latest);
            }
        }
    }

    private Meter meter() {
        return new Meter() {
            @Override
            public void count(MetricFamily family, double amount, List<String> labels) {
                counts.merge(series(family, labels), amount, Double::sum);
            }

            @Override
            public void observe(MetricFamily family, double value, List<String> labels) {
                observations
                        .computeIfAbsent(series(family, labels), _ -> new ArrayList<>())
                        .add(value);
            }

            @Override
            public void replace(String owner, List<GaugeSample> samples) {
                gauges.put(owner, samples);
            }
        };
    }

    private static String series(MetricFamily family, List<String> labels) {
        if (labels.size() != family.labels().size()) {
            throw new IllegalArgumentException(
                    "%s has labels %s; found values %s"
                            .formatted(family.name(), family.labels(), labels));
        }
        return family.name() + labels;
    }

    public FakeClock clock() {
        return clock;
    }

    public Instant now() {
        return clock.instant();
    }

    public FakeApi api() {
        return api;
    }

    public View view() {
        return view;
    }

    public void advance(Duration step) {
        clock.advance(step);
    }

    /// Puts the objects of a YAML text there, status and all.
    public StepRig apply(String yaml) {
        for (var document : documents(yaml)) {
            apply(document);
        }
        return this;
    }

    public StepRig apply(Value.Mapping object) {
        api.put(type(object), plain(object));
        return this;
    }

    private ResourceType type(Value.Mapping object) {
        var apiVersion = Trees.text(object, "apiVersion");
        var kind = Trees.text(object, "kind");
        return types.stream()
                .filter(type -> type.kind().equals(kind) && type.apiVersion().equals(apiVersion))
                .findFirst()
                .orElseThrow(
                        () ->
                                new IllegalArgumentException(
                                        "%s %s is no kind this rig knows"
                                                .formatted(apiVersion, kind)));
    }

    private static List<Value.Mapping> documents(String yaml) {
        var documents = new ArrayList<Value.Mapping>();
        for (var document : DocumentReader.readAll(Source.text("rig", yaml))) {
            if (document instanceof Value.Mapping mapping) {
                documents.add(mapping);
            }
        }
        return documents;
    }

    /// Without positions, as an API server's answer is.
    private static Value.Mapping plain(Value.Mapping mapping) {
        var fields = new LinkedHashMap<String, Value>();
        mapping.fields().forEach((name, value) -> fields.put(name, plain(value)));
        return new Value.Mapping(Position.NOWHERE, fields);
    }

    private static Value plain(Value value) {
        return switch (value) {
            case Value.Text(_, var text) -> new Value.Text(Position.NOWHERE, text);
            case Value.Numeral(_, var text) -> new Value.Numeral(Position.NOWHERE, text);
            case Value.Flag(_, var isTrue) -> new Value.Flag(Position.NOWHERE, isTrue);
            case Value.Nothing(_) -> new Value.Nothing(Position.NOWHERE);
            case Value.Sequence(_, var elements) ->
                    new Value.Sequence(
                            Position.NOWHERE, elements.stream().map(StepRig::plain).toList());
            case Value.Mapping mapping -> plain(mapping);
        };
    }

    /// One step for the key, carried out.
    public Ending run(Controller controller, ObjectName key) {
        return runner.run(controller.step(view, key, clock.instant()));
    }

    /// Effects that belong to no controller's step, carried out.
    public Ending carryOut(Step step) {
        return runner.run(step);
    }

    /// One step for an object that has no namespace, carried out.
    public Ending run(Controller controller, String name) {
        return run(controller, new ObjectName("", name));
    }

    public Ending run(Controller controller) {
        return run(controller, Controller.SINGLETON);
    }

    /// The object, which must be of a kind that this rig keeps.
    ///
    /// @throws IllegalStateException when the object is not there
    public <T extends KubeObject> T find(Kind<T> kind, ObjectName name) {
        var object = view.cache(kind).find(name);
        if (object == null) {
            throw new IllegalStateException("%s %s is not there".formatted(kind, name));
        }
        return object;
    }

    public boolean has(Kind<?> kind, ObjectName name) {
        return view.cache(kind).find(name) != null;
    }

    public List<KubeEvent> events() {
        return List.copyOf(events);
    }

    public List<String> eventReasons() {
        return events.stream().map(KubeEvent::reason).toList();
    }

    public List<Line> lines() {
        return List.copyOf(lines);
    }

    public List<Ring> rings() {
        return List.copyOf(rings);
    }

    public double count(MetricFamily family, String... labels) {
        return counts.getOrDefault(series(family, List.of(labels)), 0.0);
    }

    public List<Double> observations(MetricFamily family, String... labels) {
        return observations.getOrDefault(series(family, List.of(labels)), List.of());
    }

    /// All gauges that are set, of all owners.
    public List<GaugeSample> gauges() {
        return gauges.values().stream().flatMap(List::stream).toList();
    }

    public @Nullable Double gauge(MetricFamily family, String... labels) {
        return gauges().stream()
                .filter(sample -> sample.family().equals(family))
                .filter(sample -> sample.labels().equals(List.of(labels)))
                .map(GaugeSample::value)
                .findFirst()
                .orElse(null);
    }
}
