package dev.millwright.providers.aws.interruption;

import dev.millwright.controllers.metrics.Families;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.event.KubeEvent;
import dev.millwright.providers.aws.network.CapacityReservations;
import dev.millwright.providers.aws.nodeclass.Ec2NodeClass;
import dev.millwright.providers.aws.offering.UnavailableOfferings;
import dev.millwright.runtime.loop.Outside;
import dev.millwright.runtime.metrics.MetricFamily;
import dev.millwright.runtime.step.Step.Ending;
import dev.millwright.testing.kit.aws.AccountClients;
import dev.millwright.testing.kit.aws.TestAccount;
import dev.millwright.testing.kit.aws.account.TestAccounts;
import dev.millwright.testing.kit.cluster.Manifest;
import dev.millwright.testing.kit.cluster.Rig;

import java.util.List;

/// Claims in a cluster in memory, and their instances' queue in a [TestAccount].
final class QueueRig {

    static final String QUEUE = TestAccount.QUEUE;

    /// Slow to make, and the same for every test.
    private static final AccountClients CLIENTS = TestAccounts.shared().clients();

    final Rig rig;
    final UnavailableOfferings unavailable = new UnavailableOfferings();
    final CapacityReservations reservations;
    final Rebalances rebalances;
    final QueueController queue;
    final InstanceStatusController statuses;

    QueueRig() {
        this(Rebalances.Policy.EVENT, Outside.Mode.ACT);
    }

    QueueRig(Rebalances.Policy policy, Outside.Mode mode) {
        rig = new Rig(Ec2NodeClass.TYPE, mode);
        reservations = new CapacityReservations(CLIENTS.ec2(), rig.clock());
        rebalances = new Rebalances(policy);
        var departures = new Departures(unavailable, reservations, rebalances);
        queue =
                new QueueController(
                        CLIENTS.sqs(), QUEUE, TestAccount.REGION, departures, rig.clock());
        statuses = new InstanceStatusController(CLIENTS.ec2(), departures);
    }

    static AccountClients clients() {
        return CLIENTS;
    }

    QueueController queueNamed(String name) {
        return new QueueController(
                CLIENTS.sqs(),
                name,
                TestAccount.REGION,
                new Departures(unavailable, reservations, rebalances),
                rig.clock());
    }

    /// A claim of spot capacity whose instance is called `i-` and its name.
    static Manifest claim(String name) {
        return claim(name, "i-" + name);
    }

    static Manifest claim(String name, String instanceId) {
        return Manifest.claim(name)
                .finalizer("karpenter.sh/termination")
                .label("node.kubernetes.io/instance-type", "m5.large")
                .label("topology.kubernetes.io/zone", "us-east-1a")
                .label("karpenter.sh/capacity-type", "spot")
                .providerId(providerId(instanceId))
                .spec(
                        "nodeClassRef",
                        Tree.of("group", "karpenter.k8s.aws")
                                .put("kind", "EC2NodeClass")
                                .put("name", "default")
                                .mapping());
    }

    static String providerId(String instanceId) {
        return "aws:///us-east-1a/" + instanceId;
    }

    /// The node of the claim with this name.
    static Manifest node(String name) {
        return Manifest.node("node-" + name).registered().providerId(providerId("i-" + name));
    }

    Ending round() {
        return rig.run(queue);
    }

    /// Rounds until the queue is empty; a round more would wait for messages.
    void drain() {
        while (TestAccounts.shared().messages(QUEUE).waiting() > 0) {
            round();
        }
    }

    boolean isLeaving(String claim) {
        return rig.claim(claim).isDeleting();
    }

    void vanish(String claim) {
        rig.api().vanish(ResourceType.NODE_CLAIM, new ObjectName("", claim));
    }

    /// The events of one object as `Type Reason`, in order.
    List<String> told(String kind, String name) {
        return rig.events().stream()
                .filter(event -> event.subject().kind().equals(kind))
                .filter(event -> event.subject().name().name().equals(name))
                .map(QueueRig::words)
                .toList();
    }

    private static String words(KubeEvent event) {
        return event.type().text() + " " + event.reason();
    }

    double received(String type) {
        return rig.count(family("karpenter_interruption_received_messages_total"), type);
    }

    double deleted() {
        return rig.count(family("karpenter_interruption_deleted_messages_total"));
    }

    List<Double> waits() {
        return rig.observations(family("karpenter_interruption_message_queue_duration_seconds"));
    }

    double unhealthy(String category) {
        return rig.count(
                family("karpenter_interruption_instance_status_unhealthy_total"), category);
    }

    /// Claims of spot capacity that were deleted for this.
    double disrupted(String reason) {
        return rig.count(Families.NODECLAIMS_DISRUPTED, reason, "default", "spot", "", "graceful");
    }

    private static MetricFamily family(String name) {
        return InterruptionFamilies.all().stream()
                .filter(family -> family.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no metric " + name));
    }
}
