package dev.millwright.testing.kit.aws.fake;

import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.providers.aws.api.AwsApis;
import dev.millwright.providers.aws.api.AwsFault;
import dev.millwright.providers.aws.api.EksApi;
import dev.millwright.providers.aws.api.ZonalShiftApi;
import dev.millwright.testing.kit.aws.AccountClients;
import dev.millwright.testing.kit.aws.ApiFault;
import dev.millwright.testing.kit.aws.LaunchFault;
import dev.millwright.testing.kit.aws.TestAccount;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SequencedMap;

/// A [TestAccount] in memory, on the ports themselves: no SDK, no HTTP, no process.
///
/// Its clock stands still but for [#advance], and begins where a test's own does.
public final class FakeAccount implements TestAccount {

    private static final String KUBERNETES = "1.35";
    private static final int ZONES = 3;

    private final AccountClients clients =
            new AccountClients(
                    new AwsApis(
                            new FakeEc2(this::state),
                            new FakeIam(this::state),
                            this::askParameter,
                            this::askCluster,
                            new FakeQueues(this::state),
                            new FakePrices(this::state),
                            this::askShifts),
                    () -> {});
    private volatile FakeState state = new FakeState(KUBERNETES, usualZones());

    private FakeAccount() {}

    /// Made when first asked for.
    public static FakeAccount shared() {
        return Shared.ACCOUNT;
    }

    private static final class Shared {
        private static final FakeAccount ACCOUNT = new FakeAccount();
    }

    private FakeState state() {
        return state;
    }

    private static List<String> usualZones() {
        return FakeCatalogue.shared().zones().stream().limit(ZONES).toList();
    }

    @Override
    public AccountClients clients() {
        return clients;
    }

    private String askParameter(String name) throws AwsFault {
        return state.calls()
                .ask("GetParameter", Tree.of("Name", name), () -> state.images().parameter(name));
    }

    private EksApi.Cluster askCluster(String name) throws AwsFault {
        return state.calls()
                .ask("DescribeCluster", Tree.of("name", name), () -> state.clusters().find(name));
    }

    private List<ZonalShiftApi.Shift> askShifts(String arn) throws AwsFault {
        return state.calls()
                .ask(
                        "GetManagedResource",
                        Tree.of("resourceIdentifier", arn),
                        () -> state.clusters().shifts(arn));
    }

    @Override
    public void fixture() {
        fixture(KUBERNETES);
    }

    @Override
    public void fixture(String kubernetesVersion) {
        state = new FakeState(kubernetesVersion, usualZones());
    }

    @Override
    public void fixtureIn(String... zones) {
        state = new FakeState(KUBERNETES, List.of(zones));
    }

    @Override
    public void pagesOf(int items) {
        state.calls().pagesOf(items);
    }

    @Override
    public void advance(Duration time) {
        state.clock().advance(time);
    }

    @Override
    public List<String> instanceIds() {
        return state.instances().all().stream().map(FakeInstance::id).toList();
    }

    @Override
    public void change(String instanceId, String wanted) {
        surely(() -> state.fleets().change(instanceId, wanted));
    }

    @Override
    public void status(
            String instanceId,
            String instance,
            String system,
            @Nullable Instant impairedSince,
            List<String> eventCodes) {
        state.instances()
                .health(
                        instanceId,
                        new FakeInstances.Health(instance, system, impairedSince, eventCodes));
    }

    @Override
    public void fail(ApiFault... faults) {
        for (var fault : faults) {
            state.calls().fail(fault);
        }
    }

    @Override
    public void refuse(LaunchFault... faults) {
        for (var fault : faults) {
            state.fleets().refuse(fault);
        }
    }

    @Override
    public void noFaults() {
        state.calls().noFaults();
        state.fleets().noFaults();
    }

    @Override
    public void parameter(String name, @Nullable String value) {
        state.images().parameter(name, value);
    }

    @Override
    public void freeAddresses(String subnetId, int addresses) {
        state.network().freeAddresses(subnetId, addresses);
    }

    @Override
    public void reservations(Tree... reservations) {
        state.network().replaceReservations(List.of(reservations));
    }

    @Override
    public void placementGroups(Tree... groups) {
        state.network().replacePlacementGroups(List.of(groups));
    }

    @Override
    public void images(Tree... images) {
        for (var image : images) {
            state.images().add(image);
        }
    }

    @Override
    public void cluster(String name, Tree told) {
        state.clusters().tell(name, told);
    }

    @Override
    public void shifts(String arn, Tree... shifts) {
        state.clusters().shift(arn, List.of(shifts));
    }

    @Override
    public void event(String queue, String source, String detailType, Instant at, Tree detail) {
        surely(() -> state.messages().publish(queue, source, detailType, at, detail));
    }

    @Override
    public void messages(String queue, List<String> bodies) {
        surely(() -> state.messages().send(queue, bodies));
    }

    @Override
    public Messages messages(String queue) {
        try {
            return state.messages().count(queue);
        } catch (AwsFault fault) {
            throw new IllegalArgumentException(fault.text(), fault);
        }
    }

    @Override
    public SequencedMap<String, Integer> calls() {
        return state.calls().counts();
    }

    @Override
    public void forgetCalls() {
        state.calls().forget();
    }

    @Override
    public List<Value.Mapping> requests(String action) {
        return state.calls().requests(action);
    }

    /// What a test asks for must be there.
    private static void surely(AwsFault.Call call) {
        try {
            call.run();
        } catch (AwsFault fault) {
            throw new IllegalArgumentException(fault.text(), fault);
        }
    }
}
