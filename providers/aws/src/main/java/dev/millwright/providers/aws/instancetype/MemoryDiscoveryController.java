package dev.millwright.providers.aws.instancetype;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.quantity.Resources;
import dev.millwright.kube.cache.Change;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.object.NodeObject;
import dev.millwright.providers.aws.nodeclass.Ec2NodeClass;
import dev.millwright.runtime.log.LogLevel;
import dev.millwright.runtime.step.Controller;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Pace;
import dev.millwright.runtime.step.Step;

import java.time.Instant;
import java.util.List;

/// Learns how much memory a type really has when a node of it registers.
public final class MemoryDiscoveryController implements Controller {

    private final KnownTypes known;
    private final DiscoveredMemory memory;
    private final TypeSettings settings;

    public MemoryDiscoveryController(
            KnownTypes known, DiscoveredMemory memory, TypeSettings settings) {
        this.known = known;
        this.memory = memory;
        this.settings = settings;
    }

    @Override
    public String name() {
        return "providers.instancetype.capacity";
    }

    @Override
    public List<Watch<?>> watches() {
        return List.of(
                new Watch<>(
                        Kind.NODE,
                        (_, change) ->
                                turnedRegistered(change) ? List.of(change.name()) : List.of()));
    }

    private static boolean turnedRegistered(Change<NodeObject> change) {
        var before = change.before();
        var after = change.after();
        return after != null && after.isRegistered() && (before == null || !before.isRegistered());
    }

    @Override
    public Pace pace() {
        return Pace.of(1);
    }

    @Override
    public Step step(View view, ObjectName key, Instant now) {
        var node = view.node(key.name());
        var claim = node == null ? null : view.claimOf(node);
        if (node == null || claim == null || !node.isRegistered() || !view.isManaged(node)) {
            return Step.DONE;
        }
        var object = view.nodeClass(claim.spec().nodeClassRef());
        var typeName = node.meta().label(LabelKeys.INSTANCE_TYPE);
        var type = typeName == null ? null : known.picture().types().get(typeName);
        if (object == null || type == null) {
            return Step.DONE;
        }
        var nodeClass = Ec2NodeClass.of(object);
        var facts = ClassFacts.of(nodeClass, null);
        var amis = nodeClass.status().amis();
        var image = ImageChoice.of(TypeLabels.of(type, facts, settings.region()), amis);
        var seen = node.node().capacity().amount(Resources.MEMORY);
        // Of another image the node tells nothing about the nodes to come.
        var isTelling = image != null && image.id().equals(claim.status().imageId());
        return isTelling && !seen.isZero() && memory.see(type.name(), amis, seen, now)
                ? Step.of(
                        new Effect.Say(
                                LogLevel.DEBUG,
                                "discovered memory of an instance type",
                                "instance-type",
                                type.name(),
                                "memory",
                                seen.toBinaryString()))
                : Step.DONE;
    }
}
