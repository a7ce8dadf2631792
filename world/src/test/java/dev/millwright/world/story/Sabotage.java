package dev.millwright.world.story;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.ApiWrite.PatchKind;
import dev.millwright.kube.client.ApiWrite.Subresource;
import dev.millwright.kube.client.Metadata;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.spi.MachineClaim;
import dev.millwright.world.World;
import dev.millwright.world.happening.Happening;
import dev.millwright.world.happening.Witness;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/// Does in a world, under the operator's name, what the operator must never do.
final class Sabotage implements Witness {

    static final ObjectName LEASE = new ObjectName("kube-system", "karpenter-leader-election");

    private final Map<String, MachineClaim> claims = new HashMap<>();
    private final List<Consumer<World>> deeds = new ArrayList<>();

    @Override
    public void saw(Happening happening) {
        if (happening instanceof Happening.Started(_, _, var claim)) {
            claims.put(claim.name(), claim);
        }
    }

    void in(World world) {
        deeds.forEach(deed -> deed.accept(world));
    }

    Sabotage at(Duration time, Consumer<World> deed) {
        deeds.add(world -> world.agenda().after(time, () -> deed.accept(world)));
        return this;
    }

    Sabotage every(Duration time, Consumer<World> deed) {
        deeds.add(world -> again(world, time, deed));
        return this;
    }

    private static void again(World world, Duration time, Consumer<World> deed) {
        world.agenda()
                .after(
                        time,
                        () -> {
                            deed.accept(world);
                            again(world, time, deed);
                        });
    }

    /// From then on somebody else holds the lease, and the operator does nothing any more.
    Sabotage asleepAfter(Duration time) {
        return at(
                time,
                world -> {
                    hold(world, "intruder");
                    again(world, Duration.ofSeconds(1), each -> hold(each, "intruder"));
                });
    }

    static void hold(World world, String holder) {
        patch(
                world,
                "user",
                ResourceType.LEASE,
                LEASE,
                Subresource.NONE,
                Tree.of(
                        "spec",
                        Tree.of("holderIdentity", holder)
                                .put("leaseTransitions", world.now().getEpochSecond())));
    }

    static void patch(
            World world,
            String by,
            ResourceType type,
            ObjectName name,
            Subresource subresource,
            Tree body) {
        world.store()
                .write(
                        by,
                        new ApiWrite.Patch(
                                type, name, PatchKind.MERGE, subresource, body.mapping()));
    }

    static void delete(World world, String by, ResourceType type, ObjectName name) {
        world.store().write(by, new ApiWrite.Delete(type, name, null, null));
    }

    /// Takes a claim away by force, its finalizer with it.
    static void forget(World world, ObjectName claim) {
        var none = Tree.of().putTextList("finalizers", List.of());
        patch(
                world,
                "user",
                ResourceType.NODE_CLAIM,
                claim,
                Subresource.NONE,
                Tree.of("metadata", none));
        delete(world, "user", ResourceType.NODE_CLAIM, claim);
    }

    /// Takes the node's owner away, so that nobody collects it.
    static void disown(World world, ObjectName node) {
        var nobody = Tree.of().putList("ownerReferences", List.of());
        patch(
                world,
                "user",
                ResourceType.NODE,
                node,
                Subresource.NONE,
                Tree.of("metadata", nobody));
    }

    static List<ObjectName> names(World world, ResourceType type) {
        return world.store().all(type).stream().map(each -> Metadata.of(each).name()).toList();
    }

    static List<ObjectName> pods(World world, String workload) {
        return names(world, ResourceType.POD).stream()
                .filter(pod -> pod.name().startsWith(workload))
                .toList();
    }

    /// What was asked of the cloud for the first claim that is there, with its machine's id.
    MachineClaim launched(World world) {
        var name = names(world, ResourceType.NODE_CLAIM).getFirst();
        var claim = claims.get(name.name());
        var object = world.store().find(ResourceType.NODE_CLAIM, name);
        if (claim == null || object == null) {
            throw new IllegalStateException("NodeClaim %s was not launched".formatted(name));
        }
        return new MachineClaim(
                claim.name(),
                claim.uid(),
                claim.createdAt(),
                claim.labels(),
                claim.annotations(),
                claim.requirements(),
                claim.taints(),
                claim.startupTaints(),
                claim.requests(),
                claim.nodeClassRef(),
                status(object, "providerID"),
                "");
    }

    private static String status(Value.Mapping object, String field) {
        return object.fields().get("status") instanceof Value.Mapping(_, var fields)
                        && fields.get(field) instanceof Value.Text(_, var text)
                ? text
                : "";
    }

    /// Says of a claim that it is disrupted for this reason.
    static void mark(World world, ObjectName claim, String reason) {
        var condition =
                Tree.of("type", ClaimObject.DISRUPTION_REASON)
                        .put("status", "True")
                        .put("reason", reason)
                        .put("message", reason)
                        .put("lastTransitionTime", "2026-01-05T06:00:00Z");
        var conditions = new ArrayList<>(conditions(world, claim));
        conditions.add(condition.mapping());
        patch(
                world,
                "a/disruption",
                ResourceType.NODE_CLAIM,
                claim,
                Subresource.STATUS,
                Tree.of("status", Tree.of().putList("conditions", conditions)));
    }

    private static List<Value> conditions(World world, ObjectName claim) {
        var object = world.store().find(ResourceType.NODE_CLAIM, claim);
        return object != null
                        && object.fields().get("status") instanceof Value.Mapping(_, var status)
                        && status.get("conditions") instanceof Value.Sequence(_, var all)
                ? all
                : List.of();
    }

    /// A claim for the most expensive kind of machine that scenarios know.
    static void createClaim(World world, String name, String pool) {
        var reference =
                Tree.of("group", "karpenter.kwok.sh")
                        .put("kind", "KWOKNodeClass")
                        .put("name", "default");
        var metadata =
                Tree.of("name", name)
                        .put("labels", Tree.of(LabelKeys.NODE_POOL, pool))
                        .putTextList("finalizers", List.of(LabelKeys.TERMINATION_FINALIZER));
        var type =
                Tree.of("key", LabelKeys.INSTANCE_TYPE)
                        .put("operator", "In")
                        .putTextList("values", List.of("r7a.4xlarge"));
        var spec =
                Tree.of("nodeClassRef", reference).putList("requirements", List.of(type.mapping()));
        var body =
                Tree.of("apiVersion", ResourceType.NODE_CLAIM.apiVersion())
                        .put("kind", ResourceType.NODE_CLAIM.kind())
                        .put("metadata", metadata)
                        .put("spec", spec);
        world.store()
                .write(
                        "a/disruption",
                        new ApiWrite.Create(ResourceType.NODE_CLAIM, "", body.mapping()));
    }
}
