package dev.millwright.testing.kit.cluster;

import dev.millwright.controllers.operator.AutoscalerEffects;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.label.LabelVocabulary;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.event.KubeEvent;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.kube.object.KubeObject;
import dev.millwright.kube.object.NodeClassObject;
import dev.millwright.kube.object.NodeObject;
import dev.millwright.kube.object.ObjectReader;
import dev.millwright.kube.object.PodObject;
import dev.millwright.kube.object.PoolObject;
import dev.millwright.runtime.loop.Outside;
import dev.millwright.runtime.metrics.GaugeSample;
import dev.millwright.runtime.metrics.MetricFamily;
import dev.millwright.runtime.step.Controller;
import dev.millwright.runtime.step.Step;
import dev.millwright.runtime.step.Step.Ending;
import dev.millwright.testing.kit.FakeClock;
import dev.millwright.testing.kit.cloud.FakeCloud;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/// Runs steps by hand against a cluster in memory and shows what came of them.
public final class Rig {

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
    private final FakeCloud cloud = new FakeCloud(clock);
    private final Kind<NodeClassObject> classKind;
    private final StepRig steps;

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
        this.classKind = classKind;
        this.steps = new StepRig(clock, types, view(classKind), new AutoscalerEffects(cloud), mode);
    }

    private static View view(Kind<NodeClassObject> classKind) {
        return new View(
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
                List.of(classKind));
    }

    public FakeClock clock() {
        return clock;
    }

    public Instant now() {
        return clock.instant();
    }

    public FakeApi api() {
        return steps.api();
    }

    public FakeCloud cloud() {
        return cloud;
    }

    public View view() {
        return steps.view();
    }

    public Kind<NodeClassObject> classKind() {
        return classKind;
    }

    public void advance(Duration step) {
        clock.advance(step);
    }

    /// Puts the objects of a YAML text there, status and all.
    public Rig apply(String yaml) {
        steps.apply(yaml);
        return this;
    }

    public Rig apply(Value.Mapping object) {
        steps.apply(object);
        return this;
    }

    public Rig apply(Manifest... objects) {
        for (var object : objects) {
            steps.apply(object.value());
        }
        return this;
    }

    /// One step for the key, carried out.
    public Ending run(Controller controller, ObjectName key) {
        return steps.run(controller, key);
    }

    /// Effects that belong to no controller's step, carried out.
    public Ending carryOut(Step step) {
        return steps.carryOut(step);
    }

    /// One step for an object that has no namespace, carried out.
    public Ending run(Controller controller, String name) {
        return steps.run(controller, name);
    }

    public Ending run(Controller controller) {
        return steps.run(controller);
    }

    /// The object, which must be of a kind that this rig keeps.
    ///
    /// @throws IllegalStateException when the object is not there
    public <T extends KubeObject> T find(Kind<T> kind, ObjectName name) {
        return steps.find(kind, name);
    }

    public boolean has(Kind<?> kind, ObjectName name) {
        return steps.has(kind, name);
    }

    /// @throws IllegalStateException when the claim is not there
    public ClaimObject claim(String name) {
        return there(view().claim(name), "NodeClaim", name);
    }

    public NodeObject node(String name) {
        return there(view().node(name), "Node", name);
    }

    public PoolObject pool(String name) {
        return there(view().pool(name), "NodePool", name);
    }

    public PodObject pod(String namespace, String name) {
        return there(view().pod(new ObjectName(namespace, name)), "Pod", name);
    }

    private static <T> T there(@Nullable T object, String kind, String name) {
        if (object == null) {
            throw new IllegalStateException("%s %s is not there".formatted(kind, name));
        }
        return object;
    }

    public List<KubeEvent> events() {
        return steps.events();
    }

    public List<String> eventReasons() {
        return steps.eventReasons();
    }

    public List<StepRig.Line> lines() {
        return steps.lines();
    }

    public List<StepRig.Ring> rings() {
        return steps.rings();
    }

    public double count(MetricFamily family, String... labels) {
        return steps.count(family, labels);
    }

    public List<Double> observations(MetricFamily family, String... labels) {
        return steps.observations(family, labels);
    }

    /// All gauges that are set, of all owners.
    public List<GaugeSample> gauges() {
        return steps.gauges();
    }

    public @Nullable Double gauge(MetricFamily family, String... labels) {
        return steps.gauge(family, labels);
    }
}
