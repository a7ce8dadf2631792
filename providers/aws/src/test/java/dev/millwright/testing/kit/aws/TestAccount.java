package dev.millwright.testing.kit.aws;

import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SequencedMap;

/// An AWS account for tests of what stands on the ports of `providers.aws.api`: a test prepares it,
/// and sees afterwards what was asked of it.
///
/// There are two, and every test must pass on both: one in memory, and [AwsEndpoint] behind the SDK
/// and HTTP, which shows that the other says what the SDK says. A test takes the one it is handed.
public interface TestAccount {

    String CLUSTER = "test-cluster";
    String QUEUE = "test-cluster";
    String ROLE = "test-role";
    String ACCOUNT = "123456789012";
    String REGION = "us-east-1";
    String CLUSTER_ARN = "arn:aws:eks:%s:%s:cluster/%s".formatted(REGION, ACCOUNT, CLUSTER);

    /// Clients for one test class. One that is throttled may slow its clients down for a while: a
    /// test of that has its own.
    AccountClients clients();

    /// Forgets everything, then makes an account that is ready for a cluster of Kubernetes 1.35:
    /// see `fixture.py` of the endpoint for the ids, which are always the same.
    void fixture();

    void fixture(String kubernetesVersion);

    /// As [#fixture()], with one subnet for each zone that is named.
    void fixtureIn(String... zones);

    // What instances do.

    /// No page holds more, whatever is asked.
    void pagesOf(int items);

    /// The account's clock runs ahead by so much more.
    void advance(Duration time);

    /// The ids of all instances that were ever launched, oldest first.
    List<String> instanceIds();

    /// What somebody else does to an instance.
    ///
    /// @param state `terminated`, `stopped`, `running`, or `lapsed` when its reservation ended
    void change(String instanceId, String state);

    /// @param instance `ok` or `impaired`, of the instance itself
    /// @param system `ok` or `impaired`, of what carries it
    void status(
            String instanceId,
            String instance,
            String system,
            @Nullable Instant impairedSince,
            List<String> eventCodes);

    // What goes wrong.

    /// In addition to earlier faults; the first that is meant for a call counts.
    void fail(ApiFault... faults);

    void refuse(LaunchFault... faults);

    void noFaults();

    // What there is.

    /// @param value null to take it away
    void parameter(String name, @Nullable String value);

    void freeAddresses(String subnetId, int addresses);

    /// Replaces all, in the names of EC2's API: CapacityReservationId, InstanceType,
    /// AvailabilityZone, AvailableInstanceCount, …
    void reservations(Tree... reservations);

    /// Replaces all: GroupId, GroupName, Strategy, PartitionCount, …
    void placementGroups(Tree... groups);

    /// Adds or replaces: ImageId, Name, Architecture, CreationDate, DeprecationTime, OwnerId, …
    void images(Tree... images);

    /// What EKS tells of a cluster: endpoint, certificateAuthority, version, …
    void cluster(String name, Tree told);

    /// All zonal shifts of a resource: awayFrom, appliedStatus, expiryTime in seconds, …
    void shifts(String arn, Tree... shifts);

    // Messages.

    /// One event as EventBridge would put it into the queue.
    void event(String queue, String source, String detailType, Instant at, Tree detail);

    /// EC2 is about to take a spot instance back.
    default void spotInterruption(String queue, String instanceId, Instant at) {
        var detail = Tree.of("instance-id", instanceId).put("instance-action", "terminate");
        event(queue, "aws.ec2", "EC2 Spot Instance Interruption Warning", at, detail);
    }

    /// EC2 thinks that a spot instance may soon be taken back.
    default void rebalance(String queue, String instanceId, Instant at) {
        var detail = Tree.of("instance-id", instanceId);
        event(queue, "aws.ec2", "EC2 Instance Rebalance Recommendation", at, detail);
    }

    /// An instance has changed its state, by whomever.
    default void stateChange(String queue, String instanceId, String state, Instant at) {
        var detail = Tree.of("instance-id", instanceId).put("state", state);
        event(queue, "aws.ec2", "EC2 Instance State-change Notification", at, detail);
    }

    /// An instance of an interruptible reservation is wanted back.
    default void reservationInterruption(String queue, String instanceId, Instant at) {
        var detail = Tree.of("instance-id", instanceId).put("instance-action", "terminate");
        var kind = "EC2 Capacity Reservation Instance Interruption Warning";
        event(queue, "aws.ec2", kind, at, detail);
    }

    /// Maintenance of instances is scheduled.
    default void scheduledChange(String queue, List<String> instanceIds, Instant at) {
        var entities =
                instanceIds.stream().map(id -> Tree.of("entityValue", id).mapping()).toList();
        var detail =
                Tree.of("service", "EC2")
                        .put("eventTypeCategory", "scheduledChange")
                        .put("eventTypeCode", "AWS_EC2_INSTANCE_RETIREMENT_SCHEDULED")
                        .putList("affectedEntities", entities);
        event(queue, "aws.health", "AWS Health Event", at, detail);
    }

    /// Messages as they are, also such as nobody should send.
    void messages(String queue, List<String> bodies);

    /// @param hidden received and not deleted yet
    record Messages(int waiting, int hidden, int deleted) {}

    Messages messages(String queue);

    // What was asked.

    /// How often each action was called.
    SequencedMap<String, Integer> calls();

    default int calls(String action) {
        return calls().getOrDefault(action, 0);
    }

    void forgetCalls();

    /// The requests of an action, oldest first, under the names of AWS's API.
    List<Value.Mapping> requests(String action);
}
