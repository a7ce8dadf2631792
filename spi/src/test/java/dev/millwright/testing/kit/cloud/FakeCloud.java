package dev.millwright.testing.kit.cloud;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.policy.NodePool;
import dev.millwright.core.policy.RepairPolicy;
import dev.millwright.core.policy.SchedulingPolicy.UnsupportedStorage;
import dev.millwright.spi.CatalogAnswer;
import dev.millwright.spi.CloudProvider;
import dev.millwright.spi.CloudTraits;
import dev.millwright.spi.DriftAnswer;
import dev.millwright.spi.FindAnswer;
import dev.millwright.spi.LaunchAnswer;
import dev.millwright.spi.ListAnswer;
import dev.millwright.spi.Machine;
import dev.millwright.spi.MachineClaim;
import dev.millwright.spi.MachineOption;
import dev.millwright.spi.MachineOptions;
import dev.millwright.spi.NodeClassKind;
import dev.millwright.spi.NoticesAnswer;
import dev.millwright.spi.RebootAnswer;
import dev.millwright.spi.RegistrationHook;
import dev.millwright.spi.TerminateAnswer;
import dev.millwright.testing.kit.FakeCatalogue;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// A cloud that answers as a test tells it to, and else as a good one would: the cheapest machine
/// of its catalogue, started at once, terminated by the second request.
///
/// Answers given by `next…` are used up, one a call, before the good ones come back; a test may
/// give several.
public final class FakeCloud implements CloudProvider {

    public static final NodeClassKind NODE_CLASS =
            new NodeClassKind("karpenter.test.sh", "v1alpha1", "testnodeclasses", "TestNodeClass");

    public static final RepairPolicy REPAIR_POLICY =
            new RepairPolicy("BadNode", "False", Duration.ofMinutes(30));

    private static final CloudTraits TRAITS =
            new CloudTraits(
                    "fake",
                    List.of(NODE_CLASS),
                    FakeCatalogue.VOCABULARY,
                    UnsupportedStorage.NONE,
                    List.of(REPAIR_POLICY),
                    CloudTraits.LAUNCH_TIMEOUT_DEFAULT,
                    null);

    private final InstantSource clock;
    private final TreeMap<String, Machine> machines = new TreeMap<>();
    private final Map<String, String> providerIdsByUid = new HashMap<>();
    private final TreeMap<String, CatalogAnswer> catalogs = new TreeMap<>();
    private final List<MachineClaim> launches = new ArrayList<>();
    private final List<MachineClaim> terminations = new ArrayList<>();
    private final List<String> finds = new ArrayList<>();
    private final Deque<LaunchAnswer> nextLaunches = new ArrayDeque<>();
    private final Deque<TerminateAnswer> nextTerminations = new ArrayDeque<>();
    private final Deque<RebootAnswer> nextReboots = new ArrayDeque<>();
    private final List<String> reboots = new ArrayList<>();
    private final Deque<FindAnswer> nextFinds = new ArrayDeque<>();
    private final Deque<ListAnswer> nextLists = new ArrayDeque<>();
    private CloudTraits traits = TRAITS;
    private NoticesAnswer notices = new NoticesAnswer.Never();
    private CatalogAnswer catalog = new CatalogAnswer.Types(FakeCatalogue.standard());
    private DriftAnswer drift = new DriftAnswer.InPlace();
    private List<RegistrationHook> hooks = List.of();
    private int launchesMax = Integer.MAX_VALUE;

    public FakeCloud(InstantSource clock) {
        this.clock = clock;
    }

    /// What every pool can buy that has no catalogue of its own.
    public synchronized FakeCloud types(List<InstanceType> types) {
        catalog = new CatalogAnswer.Types(types);
        return this;
    }

    /// What one pool can buy.
    public synchronized FakeCloud types(String nodePool, List<InstanceType> types) {
        return catalogAnswer(nodePool, new CatalogAnswer.Types(types));
    }

    /// What one pool is answered, an error for instance, until told otherwise.
    public synchronized FakeCloud catalogAnswer(String nodePool, CatalogAnswer answer) {
        catalogs.put(nodePool, answer);
        return this;
    }

    public synchronized FakeCloud nextLaunch(LaunchAnswer answer) {
        nextLaunches.add(answer);
        return this;
    }

    public synchronized FakeCloud nextTerminate(TerminateAnswer answer) {
        nextTerminations.add(answer);
        return this;
    }

    public synchronized FakeCloud nextReboot(RebootAnswer answer) {
        nextReboots.add(answer);
        return this;
    }

    /// The operations of all reboots that were asked for.
    public synchronized List<String> reboots() {
        return List.copyOf(reboots);
    }

    public synchronized FakeCloud nextFind(FindAnswer answer) {
        nextFinds.add(answer);
        return this;
    }

    public synchronized FakeCloud nextList(ListAnswer answer) {
        nextLists.add(answer);
        return this;
    }

    /// After so many launches every further one fails.
    public synchronized FakeCloud launchesMax(int count) {
        launchesMax = count;
        return this;
    }

    /// What every claim is answered from now on.
    public synchronized FakeCloud drift(DriftAnswer answer) {
        drift = answer;
        return this;
    }

    /// Every claim has drifted for this reason from now on.
    public synchronized FakeCloud driftReason(String reason) {
        return drift(new DriftAnswer.Drifted(reason));
    }

    /// What the cloud says when it is asked which machines it takes back.
    public synchronized FakeCloud notices(NoticesAnswer answer) {
        notices = answer;
        return this;
    }

    public synchronized FakeCloud traits(CloudTraits other) {
        traits = other;
        return this;
    }

    public synchronized FakeCloud hooks(RegistrationHook... others) {
        hooks = List.of(others);
        return this;
    }

    /// A machine that is there without having been launched here.
    public synchronized FakeCloud put(Machine machine) {
        machines.put(machine.providerId(), machine);
        return this;
    }

    /// The machine is gone, and nobody was asked.
    public synchronized FakeCloud remove(String providerId) {
        machines.remove(providerId);
        return this;
    }

    /// Every call to launch, answered well or not.
    public synchronized List<MachineClaim> launches() {
        return List.copyOf(launches);
    }

    public synchronized List<MachineClaim> terminations() {
        return List.copyOf(terminations);
    }

    public synchronized List<String> finds() {
        return List.copyOf(finds);
    }

    /// All machines by provider id.
    public synchronized List<Machine> machines() {
        return List.copyOf(machines.sequencedValues());
    }

    @Override
    public synchronized CloudTraits traits() {
        return traits;
    }

    @Override
    public synchronized LaunchAnswer launch(MachineClaim claim) {
        launches.add(claim);
        var told = nextLaunches.poll();
        if (told != null) {
            return told;
        }
        var before = machines.get(providerIdsByUid.getOrDefault(claim.uid(), ""));
        if (before != null) {
            return new LaunchAnswer.Launched(before);
        }
        if (launches.size() > launchesMax) {
            return new LaunchAnswer.Failed(
                    "NodeClaim %s: launch number %d is beyond the test's limit of %d"
                            .formatted(claim.name(), launches.size(), launchesMax));
        }
        return switch (catalogOf(claim.labels().get(LabelKeys.NODE_POOL))) {
            case CatalogAnswer.Types(var types) -> launch(claim, types);
            case CatalogAnswer.Unevaluated() ->
                    new LaunchAnswer.Failed("the catalogue has not been evaluated");
            case CatalogAnswer.Failed(var message) -> new LaunchAnswer.Failed(message);
        };
    }

    private LaunchAnswer launch(MachineClaim claim, List<InstanceType> types) {
        return switch (MachineOptions.of(claim, types, traits.vocabulary())) {
            case MachineOptions.UnknownTypes unknown ->
                    new LaunchAnswer.Failed(unknown.explain(claim));
            case MachineOptions.Known known -> {
                var launchable = known.launchable();
                yield launchable.isEmpty()
                        ? new LaunchAnswer.InsufficientCapacity(
                                "NodeClaim %s: no compatible offering is available"
                                        .formatted(claim.name()))
                        : new LaunchAnswer.Launched(start(claim, launchable.getFirst()));
            }
        };
    }

    private Machine start(MachineClaim claim, MachineOption option) {
        var machine =
                new Machine(
                        "fake:///%s/%s".formatted(option.offering().zone(), claim.uid()),
                        "fake-image",
                        option.labels(claim, traits.vocabulary()),
                        new TreeMap<>(),
                        option.capacity(),
                        option.allocatable(),
                        clock.instant(),
                        false);
        put(machine);
        providerIdsByUid.put(claim.uid(), machine.providerId());
        return machine;
    }

    @Override
    public synchronized TerminateAnswer terminate(MachineClaim claim) {
        terminations.add(claim);
        var told = nextTerminations.poll();
        if (told != null) {
            return told;
        }
        var machine =
                machines.get(
                        claim.providerId().isEmpty()
                                ? providerIdsByUid.getOrDefault(claim.uid(), "")
                                : claim.providerId());
        if (machine == null) {
            return new TerminateAnswer.Gone();
        }
        if (machine.isTerminating()) {
            remove(machine.providerId());
            return new TerminateAnswer.Gone();
        }
        put(machine.terminating());
        return new TerminateAnswer.Started();
    }

    @Override
    public synchronized FindAnswer find(String providerId) {
        finds.add(providerId);
        var told = nextFinds.poll();
        if (told != null) {
            return told;
        }
        var machine = machines.get(providerId);
        return machine == null ? new FindAnswer.Gone() : new FindAnswer.Found(machine);
    }

    @Override
    public synchronized ListAnswer list() {
        var told = nextLists.poll();
        return told != null ? told : new ListAnswer.Machines(machines());
    }

    @Override
    public synchronized CatalogAnswer catalog(NodePool nodePool) {
        return catalogOf(nodePool.name());
    }

    private CatalogAnswer catalogOf(@Nullable String nodePool) {
        return nodePool == null ? catalog : catalogs.getOrDefault(nodePool, catalog);
    }

    @Override
    public synchronized DriftAnswer drift(MachineClaim claim) {
        return drift;
    }

    @Override
    public synchronized RebootAnswer reboot(MachineClaim claim, String operation) {
        reboots.add(operation);
        var told = nextReboots.poll();
        return told != null ? told : new RebootAnswer.Accepted();
    }

    @Override
    public synchronized NoticesAnswer notices() {
        return notices;
    }

    @Override
    public synchronized List<RegistrationHook> registrationHooks() {
        return hooks;
    }
}
