package dev.millwright.testing.kit.cloud;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.catalog.Offering;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.Operator;
import dev.millwright.core.label.Requirement;
import dev.millwright.spi.CatalogAnswer;
import dev.millwright.spi.DriftAnswer;
import dev.millwright.spi.FindAnswer;
import dev.millwright.spi.LaunchAnswer;
import dev.millwright.spi.ListAnswer;
import dev.millwright.spi.Machine;
import dev.millwright.spi.MachineClaim;
import dev.millwright.spi.TerminateAnswer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

/// What every provider must do, whatever its cloud. A provider's test extends this and makes a
/// fixture; a provider that passes can be driven by the controllers.
public abstract class CloudProviderContract {

    /// Requests to terminate before a machine must be gone.
    private static final int TERMINATIONS_MAX = 5;

    private static final int CONCURRENT_LAUNCHES = 24;

    private CloudFixture cloud;

    /// A new cloud without machines.
    protected abstract CloudFixture newCloud();

    @BeforeEach
    final void makeCloud() {
        cloud = newCloud();
    }

    @AfterEach
    final void closeCloud() {
        cloud.close();
    }

    @Test
    void aMachineMeetsEveryRequirementOfItsClaim() {
        var way = someOffering();
        var wanted = someType();
        var size = numberOn(wanted);
        var claim =
                claim("picky")
                        .types(wanted.name(), otherType().name())
                        .zones(way.zone(), "nowhere")
                        .capacityTypes(way.capacityType())
                        .requirement(LabelKeys.OS, Operator.NOT_IN, "plan9")
                        .requirement(LabelKeys.ARCH, Operator.EXISTS)
                        .requirement(cloud.numericLabel(), Operator.GT, Long.toString(size - 1))
                        .requirement(cloud.numericLabel(), Operator.LTE, Long.toString(size))
                        .requirement("example.com/team", Operator.IN, "blue")
                        .requirement("example.com/absent", Operator.DOES_NOT_EXIST)
                        .build();

        var machine = launched(claim);

        assertThat(machine.labels().get(LabelKeys.INSTANCE_TYPE))
                .isIn(wanted.name(), otherType().name());
        assertThat(machine.labels())
                .containsEntry(LabelKeys.ZONE, way.zone())
                .containsEntry(LabelKeys.CAPACITY_TYPE, way.capacityType())
                .containsEntry(cloud.numericLabel(), Long.toString(size))
                .containsEntry("example.com/team", "blue")
                .doesNotContainKey("example.com/absent");
        assertThat(machine.labels().get(LabelKeys.OS)).isNotIn("plan9", null, "");
        assertThat(machine.isTerminating()).isFalse();
    }

    @Test
    void aMachineHoldsAtLeastWhatItsClaimRequests() {
        var claim = claim("big").request("cpu", "3").request("memory", "3Gi").build();

        var machine = launched(claim);

        assertThat(claim.requests().fitsIn(machine.allocatable())).isTrue();
        assertThat(claim.requests().fitsIn(machine.capacity())).isTrue();
    }

    @Test
    void aRequestBeyondEveryTypeIsNotLaunched() {
        var answer = launch(claim("huge").request("cpu", "1000000").build());

        assertThat(answer).isInstanceOf(LaunchAnswer.InsufficientCapacity.class);
        assertThat(machines()).isEmpty();
    }

    @Test
    void everyLabelTheTypePromisesIsOnTheMachineWithOneValue() {
        var machine = launched(claim("plain").types(someType().name()).build());

        var labels = machine.labels();
        assertThat(someType().requirements().all())
                .filteredOn(promise -> !promise.isComplement() && !promise.values().isEmpty())
                .allMatch(promise -> promise.has(labels.getOrDefault(promise.key(), "")));
    }

    @Test
    void theClaimsOwnLabelsAreOnTheMachine() {
        var machine = launched(claim("labelled").label("example.com/owner", "me").build());

        assertThat(machine.labels())
                .containsEntry("example.com/owner", "me")
                .containsEntry(LabelKeys.NODE_POOL, "default");
    }

    @Test
    void everyMachineHasAnIdOfItsOwn() {
        var one = launched(claim("one").build());
        var other = launched(claim("other").build());

        assertThat(one.providerId()).isNotEmpty().isNotEqualTo(other.providerId());
    }

    @Test
    void aClaimAskedForTwiceGetsOneMachine() {
        var first = launched(claim("again").build());
        cloud.settle();
        var second = launched(claim("again").build());

        assertThat(second.providerId()).isEqualTo(first.providerId());
        assertThat(second.labels()).containsAllEntriesOf(first.labels());
        assertThat(machines()).hasSize(1);
    }

    @Test
    void aClaimOfTheSameNameAndAnotherUidGetsAMachineOfItsOwn() {
        var first = launched(claim("phoenix").uid("1-uid").build());
        var second = launched(claim("phoenix").uid("2-uid").build());

        assertThat(second.providerId()).isNotEqualTo(first.providerId());
    }

    @Test
    void anUnknownTypeIsAFailureThatNamesIt() {
        Assumptions.assumeTrue(cloud.isNamingUnknownTypes());
        var answer = launch(claim("typo").types("m5.lagre").build());

        assertThat(answer)
                .isInstanceOfSatisfying(
                        LaunchAnswer.Failed.class,
                        failed -> assertThat(failed.message()).contains("m5.lagre", "typo"));
    }

    @Test
    void withoutAnyOfferingThatWouldDoThereIsNoCapacity() {
        var answer = launch(claim("nowhere").zones("nowhere").build());

        assertThat(answer).isInstanceOf(LaunchAnswer.InsufficientCapacity.class);
        assertThat(machines()).isEmpty();
    }

    @Test
    void whatRanOutIsUnavailableInTheCatalogueAndStillListed() {
        var type = someType();
        var before = types();
        cloud.runOut(type.name());

        var answer = launch(claim("late").types(type.name()).build());

        assertThat(answer).isInstanceOf(LaunchAnswer.InsufficientCapacity.class);
        assertThat(types()).isNotSameAs(before).hasSameSizeAs(before);
        assertThat(typeNamed(type.name()).offerings())
                .hasSameSizeAs(type.offerings())
                .noneMatch(Offering::isAvailable);
    }

    @Test
    void theCatalogueIsTheSameListUntilItChanges() {
        var before = types();
        launched(claim("one").build());

        assertThat(types()).isSameAs(before);
        assertThat(before).isNotEmpty();
    }

    @Test
    void everyOfferingNamesOneZoneAndOneCapacityType() {
        assertThat(types().stream().flatMap(type -> type.offerings().stream()))
                .allMatch(offering -> !offering.zone().isEmpty())
                .allMatch(offering -> !offering.capacityType().isEmpty());
    }

    @Test
    void aMissingClassIsNoCapacity() {
        var claim = claim("classless").nodeClass(cloud.missingClass()).build();

        assertThat(launch(claim)).isInstanceOf(LaunchAnswer.InsufficientCapacity.class);
        assertThat(machines()).isEmpty();
    }

    @Test
    void aClassThatIsNotReadyIsSaidToBe() {
        var claim = claim("early").nodeClass(cloud.classNotReady()).build();

        assertThat(launch(claim)).isInstanceOf(LaunchAnswer.NodeClassNotReady.class);
        assertThat(machines()).isEmpty();
    }

    @Test
    void aMachineIsFoundAndListed() {
        var machine = launched(claim("there").build());
        cloud.settle();

        assertThat(cloud.provider().find(machine.providerId()))
                .isInstanceOfSatisfying(
                        FindAnswer.Found.class,
                        found -> {
                            assertThat(found.machine().providerId())
                                    .isEqualTo(machine.providerId());
                            assertThat(found.machine().labels())
                                    .containsAllEntriesOf(machine.labels());
                            assertThat(found.machine().isTerminating()).isFalse();
                        });
        assertThat(machines())
                .extracting(Machine::providerId)
                .containsExactly(machine.providerId());
    }

    @Test
    void aMachineNobodyKnowsIsGone() {
        var stranger = claim("stranger").providerId("fake:///nowhere/i-0").build();
        cloud.put(stranger);

        assertThat(cloud.provider().find("fake:///nowhere/i-0")).isEqualTo(new FindAnswer.Gone());
        assertThat(cloud.provider().terminate(stranger)).isEqualTo(new TerminateAnswer.Gone());
    }

    @Test
    void aMachineThatIsAskedToGoGoes() {
        var machine = launched(claim("leaving").build());
        cloud.settle();
        var claim = claim("leaving").providerId(machine.providerId()).build();

        var first = cloud.provider().terminate(claim);

        assertThat(first).isIn(new TerminateAnswer.Started(), new TerminateAnswer.Gone());
        assertThat(machines()).allMatch(Machine::isTerminating);
        assertThat(terminateUntilGone(claim)).isEqualTo(new TerminateAnswer.Gone());
        assertThat(cloud.provider().terminate(claim)).isEqualTo(new TerminateAnswer.Gone());
        assertThat(cloud.provider().find(machine.providerId())).isEqualTo(new FindAnswer.Gone());
        assertThat(machines()).isEmpty();
    }

    @Test
    void aMachineThatIsNotUpYetCanBeToldToGo() {
        var machine = launched(claim("brief").build());
        var claim = claim("brief").providerId(machine.providerId()).build();

        assertThat(terminateUntilGone(claim)).isEqualTo(new TerminateAnswer.Gone());
        cloud.settle();

        assertThat(machines()).isEmpty();
    }

    @Test
    void onlyTheMachineThatWasMeantGoes() {
        var leaving = launched(claim("leaving").build());
        var staying = launched(claim("staying").build());
        cloud.settle();

        terminateUntilGone(claim("leaving").providerId(leaving.providerId()).build());

        assertThat(machines())
                .extracting(Machine::providerId)
                .containsExactly(staying.providerId());
    }

    @Test
    void aListThatFailsIsNotAnEmptyList() {
        launched(claim("there").build());
        cloud.settle();
        cloud.breakListing();

        assertThat(cloud.provider().list()).isInstanceOf(ListAnswer.Failed.class);
    }

    @Test
    void aNewMachineIsInPlace() {
        var machine = launched(claim("new").build());
        cloud.settle();
        var claim = claim("new").on(machine).build();

        assertThat(cloud.provider().drift(claim)).isEqualTo(new DriftAnswer.InPlace());
    }

    @Test
    void aMachineThatIsNoLongerWhatItsClassDescribesHasDrifted() {
        var machine = launched(claim("old").build());
        cloud.settle();
        cloud.outdateMachines();
        var claim = claim("old").on(machine).build();

        assertThat(cloud.provider().drift(claim))
                .isInstanceOfSatisfying(
                        DriftAnswer.Drifted.class,
                        drifted -> assertThat(drifted.reason()).isNotEmpty());
    }

    @Test
    void manyClaimsAtOnceGetAMachineEach() {
        var claims =
                IntStream.range(0, CONCURRENT_LAUNCHES)
                        .mapToObj(number -> claim("crowd-" + number).build())
                        .toList();

        var launched = launchedAtOnce(claims);
        cloud.settle();

        assertThat(launched).extracting(Machine::providerId).doesNotHaveDuplicates();
        assertThat(machines())
                .extracting(Machine::providerId)
                .containsExactlyInAnyOrderElementsOf(
                        launched.stream().map(Machine::providerId).toList());
    }

    @Test
    void oneClaimAskedForByManyAtOnceGetsOneMachine() {
        var claims =
                IntStream.range(0, CONCURRENT_LAUNCHES)
                        .mapToObj(number -> claim("wanted").build())
                        .toList();

        var launched = launchedAtOnce(claims);
        cloud.settle();

        assertThat(launched)
                .extracting(Machine::providerId)
                .containsOnly(launched.getFirst().providerId());
        assertThat(machines()).hasSize(1);
    }

    @Test
    void theCloudHasANameAndAClass() {
        var traits = cloud.provider().traits();

        assertThat(traits.name()).isNotEmpty();
        assertThat(traits.nodeClassKinds()).anyMatch(kind -> kind.describes(cloud.readyClass()));
        assertThat(traits.vocabulary().wellKnown()).contains(LabelKeys.ZONE, cloud.numericLabel());
    }

    private MachineClaimBuilder claim(String name) {
        return MachineClaimBuilder.machineClaim(name).nodeClass(cloud.readyClass());
    }

    private LaunchAnswer launch(MachineClaim claim) {
        cloud.put(claim);
        return cloud.provider().launch(claim);
    }

    private Machine launched(MachineClaim claim) {
        return machineOf(launch(claim));
    }

    private static Machine machineOf(LaunchAnswer answer) {
        if (answer instanceof LaunchAnswer.Launched(var machine)) {
            return machine;
        }
        throw new AssertionError("wanted a machine, found " + answer);
    }

    private List<Machine> launchedAtOnce(List<MachineClaim> claims) {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var calls = claims.stream().map(claim -> (Callable<LaunchAnswer>) () -> launch(claim));
            return threads.invokeAll(calls.toList()).stream()
                    .map(CloudProviderContract::resultOf)
                    .map(CloudProviderContract::machineOf)
                    .toList();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while launching", interrupted);
        }
    }

    private static LaunchAnswer resultOf(Future<LaunchAnswer> future) {
        try {
            return future.get();
        } catch (InterruptedException | ExecutionException failure) {
            throw new AssertionError("a launch threw", failure);
        }
    }

    private TerminateAnswer terminateUntilGone(MachineClaim claim) {
        var answer = cloud.provider().terminate(claim);
        for (var times = 1; times < TERMINATIONS_MAX; times++) {
            cloud.settle();
            answer = cloud.provider().terminate(claim);
        }
        return answer;
    }

    private List<Machine> machines() {
        if (cloud.provider().list() instanceof ListAnswer.Machines(var machines)) {
            return machines;
        }
        throw new AssertionError("the machines could not be listed");
    }

    private List<InstanceType> types() {
        if (cloud.provider().catalog(cloud.nodePool()) instanceof CatalogAnswer.Types(var types)) {
            return types;
        }
        throw new AssertionError("there is no catalogue");
    }

    private InstanceType typeNamed(String name) {
        return types().stream().filter(type -> type.name().equals(name)).findFirst().orElseThrow();
    }

    /// Among the types with an available offering, the one whose name comes first.
    private InstanceType someType() {
        return buyable().getFirst();
    }

    private InstanceType otherType() {
        return buyable().get(1);
    }

    private List<InstanceType> buyable() {
        return types().stream()
                .filter(type -> type.offerings().stream().anyMatch(Offering::isAvailable))
                .sorted(Comparator.comparing(InstanceType::name))
                .toList();
    }

    /// The last available way to buy the type, so that a provider which takes the first one fails.
    private Offering someOffering() {
        return someType().offerings().stream().filter(Offering::isAvailable).toList().getLast();
    }

    private long numberOn(InstanceType type) {
        Requirement number = type.requirements().on(cloud.numericLabel());
        return Long.parseLong(number.values().getFirst());
    }
}
