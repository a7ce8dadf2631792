package dev.millwright.testing.kit.cluster;

import dev.millwright.controllers.operator.AutoscalerEffects;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.label.LabelVocabulary;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.DocumentReader;
import dev.millwright.kube.document.Position;
import dev.millwright.kube.document.Source;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.event.KubeEvent;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.kube.object.KubeObject;
import dev.millwright.kube.object.NodeClassObject;
import dev.millwright.kube.object.NodeObject;
import dev.millwright.kube.object.ObjectReader;
import dev.millwright.kube.object.PodObject;
import dev.millwright.kube.object.PoolObject;
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
import dev.millwright.testing.kit.cloud.FakeCloud;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/// Runs steps by hand against a cluster in memory and shows what came of them.
public final class Rig {

    /// A line of the log.
    public record Line(LogLevel level, String message, List<Object> keyValues) {}

    /// A key that a step wants another controller to look at.
    public record Ring(String controller, ObjectName key) {}

    public static final ResourceType NODE_CLASS =
            new ResourceType(
                    FakeCloud.NODE_CLASS.group(),
                    FakeCloud.NODE_CLASS.version(),
                    FakeCloud.NODE_CLASS.plural(),
                    FakeCloud.NODE_CLASS.kind(),
                    false);

    private static final List<ResourceType> TYPES =
            List.of(
                    ResourceType.POD,
                    ResourceType.NODE,
                    ResourceType.NAMESPACE,
                    ResourceType.SERVICE,
                    ResourceType.POD_TEMPLATE,
                    ResourceType.REPLICATION_CONTROLLER,
                    ResourceType.PERSISTENT_VOLUME,
                    ResourceType.PERSISTENT_VOLUME_CLAIM,
                    ResourceType.DEPLOYMENT,
                    ResourceType.REPLICA_SET,
                    ResourceType.STATEFUL_SET,
                    ResourceType.DAEMON_SET,
                    ResourceType.POD_DISRUPTION_BUDGET,
                    ResourceType.STORAGE_CLASS,
                    ResourceType.CSI_NODE,
                    ResourceType.VOLUME_ATTACHMENT,
                    ResourceType.NODE_POOL,
                    ResourceType.NODE_CLAIM,
                    ResourceType.NODE_OVERLAY,
                    ResourceType.CAPACITY_BUFFER,
                    NODE_CLASS);

    private final FakeClock clock = new FakeClock();
    private final FakeApi api = new FakeApi(clock);
    private final FakeCloud cloud = new FakeCloud(clock);
    private final Kind<NodeClassObject> classKind;
    private final List<ResourceType> types;
    private final View view;
    private final EffectRunner runner;
    private final List<KubeEvent> events = new ArrayList<>();
    private final List<Line> lines = new ArrayList<>();
    private final List<Ring> rings = new ArrayList<>();
    private final Map<String, Double> counts = new TreeMap<>();
    private final Map<String, List<Double>> observations = new TreeMap<>();
    private final Map<String, List<GaugeSample>> gauges = new TreeMap<>();

    public Rig() {
        this(NODE_CLASS);
    }

    /// Of a provider whose classes are of this type.
    public Rig(ResourceType classType) {
        this(classType, Outside.Mode.ACT);
    }

    public Rig(ResourceType classType, Outside.Mode mode) {
        this(Kind.nodeClass(classType), with(classType), mode);
    }

    private static List<ResourceType> with(ResourceType classType) {
        return Stream.concat(TYPES.stream(), Stream.of(classType)).distinct().toList();
    }

    private Rig(Kind<NodeClassObject> classKind, List<ResourceType> types, Outside.Mode mode) {
        this(
                classKind,
                types,
                mode,
                new View(
                        new ObjectReader(LabelVocabulary.CORE),
                        List.of(
                                Kind.NODE_OVERLAY,
                                Kind.CAPACITY_BUFFER,
                                Kind.NAMESPACE,
                                Kind.DAEMON_SET,
                                Kind.POD_DISRUPTION_BUDGET,
                                Kind.PERSISTENT_VOLUME_CLAIM,
                                Kind.PERSISTENT_VOLUME,
                                Kind.STORAGE_CLASS,
                                Kind.CSI_NODE,
                                Kind.POD_TEMPLATE,
                                Kind.DEPLOYMENT,
                                Kind.REPLICA_SET,
                                Kind.STATEFUL_SET,
                                Kind.SERVICE,
                                Kind.REPLICATION_CONTROLLER_SELECTOR,
                                Kind.REPLICA_SET_SELECTOR,
                                Kind.STATEFUL_SET_SELECTOR),
                        List.of(classKind)));
    }

    /// Of an operator that keeps these kinds alone and has no cloud.
    public static Rig keeping(List<Kind<RawObject>> kinds) {
        var types = new ArrayList<>(List.of(ResourceType.SECRET, ResourceType.CONFIG_MAP));
        kinds.forEach(kind -> types.add(kind.type()));
        return new Rig(
                Kind.nodeClass(NODE_CLASS), types, Outside.Mode.ACT, View.only(List.copyOf(kinds)));
    }

    private Rig(
            Kind<NodeClassObject> classKind,
            List<ResourceType> types,
            Outside.Mode mode,
            View view) {
        this.classKind = classKind;
        this.types = List.copyOf(types);
        this.view = view;
        api.listen(
                (type, latest, isGone) ->
                        view.caches(type)
                                .forEach(
                                        cache -> {
                                            if (isGone) {
                                                cache.remove(latest);
                                            } else {
                                                cache.put(latest);
                                            }
                                        }));
        runner =
                new EffectRunner(
                        view,
                        new Outside(
                                api,
                                new AutoscalerEffects(cloud),
                                events::add,
                                meter(),
                                (level, message, keyValues) ->
                                        lines.add(new Line(level, message, keyValues)),
                                (controller, key) -> rings.add(new Ring(controller, key)),
                                () -> true,
                                mode),
                        EffectRunner.Branches.IN_ORDER);
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

    public FakeCloud cloud() {
        return cloud;
    }

    public View view() {
        return view;
    }

    public Kind<NodeClassObject> classKind() {
        return classKind;
    }

    public void advance(Duration step) {
        clock.advance(step);
    }

    /// Puts the objects of a YAML text there, status and all.
    public Rig apply(String yaml) {
        for (var document : documents(yaml)) {
            apply(document);
        }
        return this;
    }

    public Rig apply(Value.Mapping object) {
        api.put(type(object), plain(object));
        return this;
    }

    public Rig apply(Manifest... objects) {
        for (var object : objects) {
            apply(object.value());
        }
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
                            Position.NOWHERE, elements.stream().map(Rig::plain).toList());
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

    /// Of a kind without namespaces.
    public Ending run(Controller controller, String name) {
        return run(controller, new ObjectName("", name));
    }

    public Ending run(Controller controller) {
        return run(controller, Controller.SINGLETON);
    }

    /// Of a kind that this rig keeps.
    ///
    /// @throws IllegalStateException when the object is not there
    public <T extends KubeObject> T find(Kind<T> kind, ObjectName name) {
        return there(view.cache(kind).find(name), kind.toString(), name.toString());
    }

    public boolean has(Kind<?> kind, ObjectName name) {
        return view.cache(kind).find(name) != null;
    }

    /// @throws IllegalStateException when the claim is not there
    public ClaimObject claim(String name) {
        return there(view.claim(name), "NodeClaim", name);
    }

    public NodeObject node(String name) {
        return there(view.node(name), "Node", name);
    }

    public PoolObject pool(String name) {
        return there(view.pool(name), "NodePool", name);
    }

    public PodObject pod(String namespace, String name) {
        return there(view.pod(new ObjectName(namespace, name)), "Pod", name);
    }

    private static <T> T there(@Nullable T object, String kind, String name) {
        if (object == null) {
            throw new IllegalStateException("%s %s is not there".formatted(kind, name));
        }
        return object;
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
