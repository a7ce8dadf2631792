package dev.millwright.world.invariant;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.catalog.Offering;
import dev.millwright.core.catalog.Overhead;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.LabelVocabulary;
import dev.millwright.core.label.Requirements;
import dev.millwright.core.policy.NodePool.NodeClassRef;
import dev.millwright.core.quantity.Resources;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.spi.Machine;
import dev.millwright.spi.MachineClaim;
import dev.millwright.world.happening.Happening;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// A story told to a judge, one happening after the other.
final class Tale {

    static final Instant NOON = Instant.parse("2026-06-01T12:00:00Z");
    static final String OPERATOR = "a/disruption";

    private static final List<InstanceType> TYPES =
            List.of(type("small", 0.10), type("large", 0.40));

    private final Judge judge = new Judge(LabelVocabulary.CORE, new Prices(TYPES), Slack.CALM);
    private final Map<String, Value.Mapping> objects = new HashMap<>();
    private Instant now = NOON;

    private static InstanceType type(String name, double price) {
        return new InstanceType(
                name,
                Requirements.of(List.of()),
                List.of(Offering.of("z", LabelKeys.CAPACITY_TYPE_SPOT, price)),
                Resources.NONE,
                Overhead.NONE);
    }

    Instant now() {
        return now;
    }

    /// Time passes, and something unimportant happens.
    Tale after(Duration wait) {
        now = now.plus(wait);
        return saw(new Happening.Led(now, "z", false));
    }

    Tale saw(Happening happening) {
        judge.saw(happening);
        return this;
    }

    Tale put(String by, Thing thing) {
        var key = thing.type.plural() + "/" + thing.name;
        var before = objects.get(key);
        var after = thing.value();
        objects.put(key, after);
        return saw(new Happening.Changed(now, by, thing.type, before, after));
    }

    Tale remove(String by, Thing thing) {
        var before = objects.remove(thing.type.plural() + "/" + thing.name);
        return saw(new Happening.Changed(now, by, thing.type, before, null));
    }

    Tale evicted(Thing pod) {
        put("a/eviction-queue", pod.deletedAt(now.plusSeconds(30)));
        return saw(
                new Happening.Evicted(
                        now,
                        "a/eviction-queue",
                        new ObjectName("default", pod.name),
                        pod.uid(),
                        new ApiAnswer.Done(Tree.of().mapping())));
    }

    Tale started(String providerId, Thing claim) {
        return saw(new Happening.Started(now, machine(providerId, now), machineClaim(claim)));
    }

    private static Machine machine(String providerId, Instant at) {
        return new Machine(
                providerId,
                "image",
                new TreeMap<>(),
                new TreeMap<>(),
                Resources.NONE,
                Resources.NONE,
                at,
                false);
    }

    private static MachineClaim machineClaim(Thing claim) {
        return new MachineClaim(
                claim.name,
                claim.uid(),
                NOON,
                new TreeMap<>(),
                new TreeMap<>(),
                List.of(),
                List.of(),
                List.of(),
                Resources.NONE,
                new NodeClassRef("g", "K", "default"),
                "",
                "");
    }

    Tale stopped(String providerId, String cause) {
        return saw(new Happening.Stopped(now, providerId, cause));
    }

    Tale struck() {
        return saw(new Happening.Struck(now, "crash", "replica a"));
    }

    Tale asked(String call, Thing claim, String answer) {
        return saw(
                new Happening.Asked(
                        now, "a/nodeclaim.lifecycle", call, claim.name, claim.uid(), answer));
    }

    /// A claim with its machine and its node, all well, of the same name.
    Tale running(String name) {
        var claim = claimOf(name);
        return put("a/provisioner", Thing.claim(name))
                .started(name, claim)
                .put("a/nodeclaim.lifecycle", claim)
                .put("a/nodeclaim.lifecycle", Thing.node(name));
    }

    /// The claim as it is once its machine runs.
    static Thing claimOf(String name) {
        return Thing.claim(name)
                .finalizer(LabelKeys.TERMINATION_FINALIZER)
                .label(LabelKeys.INSTANCE_TYPE, "small")
                .label(LabelKeys.ZONE, "z")
                .label(LabelKeys.CAPACITY_TYPE, LabelKeys.CAPACITY_TYPE_SPOT)
                .launched(name)
                .capacity("4");
    }

    /// A pool with this limit of CPUs and this disruption budget.
    Tale pool(String cpuMax, String nodesMax) {
        var template = Tree.of("spec", Tree.of().putList("requirements", List.of())).mapping();
        var budgets = Tree.of().putList("budgets", List.of(Tree.of("nodes", nodesMax).mapping()));
        return put(
                "user",
                Thing.of(ResourceType.NODE_POOL, "default")
                        .spec("template", template)
                        .spec("limits", Tree.of("cpu", cpuMax).mapping())
                        .spec("disruption", budgets.mapping()));
    }

    Tale deployment(int replicas) {
        return put("user", Thing.of(ResourceType.DEPLOYMENT, "web").spec("replicas", replicas))
                .put(
                        "deployment",
                        Thing.of(ResourceType.REPLICA_SET, "web-1")
                                .owner("Deployment", "web")
                                .spec("replicas", replicas));
    }

    Tale budget(String field, String value) {
        var selector = Tree.of("matchLabels", Tree.of("app", "web")).mapping();
        return put(
                "user",
                Thing.of(ResourceType.POD_DISRUPTION_BUDGET, "web")
                        .spec("selector", selector)
                        .spec(field, Tree.text(value)));
    }

    List<Breach> breaches() {
        return judge.breaches();
    }

    List<Breach> end() {
        judge.end(now);
        return judge.breaches();
    }

    EndState endState() {
        return EndState.of(judge.cluster(), now);
    }
}
