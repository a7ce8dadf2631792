package dev.millwright.providers.sim.cloud;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.label.LabelVocabulary;
import dev.millwright.providers.sim.NodeClassState;
import dev.millwright.providers.sim.cloud.SimEvent.Cause;
import dev.millwright.providers.sim.cloud.SimMachine.Phase;
import dev.millwright.providers.sim.cloud.Timeline.Happening;
import dev.millwright.spi.DriftAnswer;
import dev.millwright.spi.FindAnswer;
import dev.millwright.spi.LaunchAnswer;
import dev.millwright.spi.ListAnswer;
import dev.millwright.spi.Machine;
import dev.millwright.spi.MachineClaim;
import dev.millwright.spi.MachineOption;
import dev.millwright.spi.MachineOptions;
import dev.millwright.spi.Notice;
import dev.millwright.spi.TerminateAnswer;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// The simulated cloud: a state machine on explicit time, with one owner.
///
/// Every call says when it is made and is told when its answer is seen; between calls, things
/// happen that [#advance] tells. The same settings and the same calls at the same times give the
/// same answers.
public final class SimCloud {

    /// Events kept for a listener that does not come; the oldest go first.
    private static final int EVENTS_MAX = 100_000;

    /// Offerings named when none is to be had.
    private static final int OFFERINGS_SHOWN_MAX = 3;

    private static final String FIRST_IMAGE = "sim-image-1";

    private final LabelVocabulary vocabulary;
    private final NodeClassState.Lookup classes;
    private final Chance chance;
    private final ApiGate gate;
    private final Stock stock;
    private final KnownCatalogue catalogue;
    private final Timeline timeline = new Timeline();
    private final TreeMap<String, SimMachine> machines = new TreeMap<>();
    private final Map<String, String> idsByUid = new HashMap<>();
    private final ArrayDeque<SimEvent> events = new ArrayDeque<>();
    private SimSettings settings;
    private String imageId = FIRST_IMAGE;
    private boolean isWaveComing;
    private long launches;

    public SimCloud(
            SimSettings settings,
            List<InstanceType> types,
            LabelVocabulary vocabulary,
            NodeClassState.Lookup classes,
            Instant start) {
        this.settings = settings;
        this.vocabulary = vocabulary;
        this.classes = classes;
        this.chance = new Chance(settings.seed());
        this.gate = new ApiGate(settings, chance, start);
        this.stock = new Stock(settings.capacity(), chance);
        this.catalogue = new KnownCatalogue(types, settings.capacity().remembered());
        scheduleWave(start);
    }

    public Timed<LaunchAnswer> launch(MachineClaim claim, Instant now) {
        settle(now);
        var refusal = gate.refusal(SimApi.LAUNCH, now);
        if (refusal != null) {
            return called(new LaunchAnswer.Refused(refusal.reason(), refusal.message()), now);
        }
        var answer =
                switch (classes.find(claim.nodeClassRef())) {
                    case NodeClassState.Ready(var delay) -> launch(claim, delay, now);
                    case NodeClassState.NotReady(var message) ->
                            new LaunchAnswer.NodeClassNotReady(message);
                    case NodeClassState.Missing(var message) ->
                            new LaunchAnswer.InsufficientCapacity(message);
                    case NodeClassState.Unknown(var message) -> new LaunchAnswer.Failed(message);
                };
        var isLost = answer instanceof LaunchAnswer.Launched && gate.losesAnswer(SimApi.LAUNCH);
        return new Timed<>(
                isLost ? new LaunchAnswer.Failed(ApiGate.LOST) : answer,
                now.plus(chance.draw(settings.timing().launch())));
    }

    private LaunchAnswer launch(MachineClaim claim, Duration registrationDelay, Instant now) {
        var before = ofUid(claim.uid());
        if (before != null && before.phase() == Phase.RUNNING) {
            return new LaunchAnswer.Launched(before.shown());
        }
        return switch (MachineOptions.of(claim, catalogue.types(now), vocabulary)) {
            case MachineOptions.UnknownTypes unknown ->
                    new LaunchAnswer.Failed(unknown.explain(claim));
            case MachineOptions.Known known ->
                    buy(claim, known.launchable(), registrationDelay, now);
        };
    }

    private LaunchAnswer buy(
            MachineClaim claim,
            List<MachineOption> options,
            Duration registrationDelay,
            Instant now) {
        var refused = new ArrayList<OfferingKey>();
        for (var option : options) {
            var key = OfferingKey.of(option.type(), option.offering());
            if (stock.take(key, now)) {
                catalogue.refuse(refused, now);
                var machine = start(claim, option, registrationDelay, now);
                idsByUid.put(claim.uid(), machine.id());
                if (chance.happens(settings.mishaps().leakRate()) && stock.take(key, now)) {
                    start(claim, option, registrationDelay, now);
                }
                return new LaunchAnswer.Launched(machine.shown());
            }
            refused.add(key);
        }
        catalogue.refuse(refused, now);
        return new LaunchAnswer.InsufficientCapacity(noCapacity(claim, refused));
    }

    private static String noCapacity(MachineClaim claim, List<OfferingKey> refused) {
        return refused.isEmpty()
                ? "NodeClaim %s: no offering that would do is available".formatted(claim.name())
                : "NodeClaim %s: none of %d offerings that would do is to be had now, among them %s"
                        .formatted(
                                claim.name(),
                                refused.size(),
                                refused.stream()
                                        .limit(OFFERINGS_SHOWN_MAX)
                                        .map(
                                                key ->
                                                        "%s (%s, %s)"
                                                                .formatted(
                                                                        key.type(),
                                                                        key.zone(),
                                                                        key.capacityType()))
                                        .collect(Collectors.joining(", ")));
    }

    private SimMachine start(
            MachineClaim claim, MachineOption option, Duration registrationDelay, Instant now) {
        launches++;
        var id = "sim:///%s/i-%017x".formatted(option.offering().zone(), launches);
        var machine =
                new SimMachine(
                        new Machine(
                                id,
                                imageId,
                                option.labels(claim, vocabulary),
                                new TreeMap<>(),
                                option.capacity(),
                                option.allocatable(),
                                now,
                                false),
                        claim,
                        OfferingKey.of(option.type(), option.offering()),
                        now.plus(chance.draw(settings.timing().listing())));
        machines.put(id, machine);
        tell(new SimEvent.Started(now, machine.shown(), claim));
        scheduleFate(machine, registrationDelay, now);
        return machine;
    }

    private void scheduleFate(SimMachine machine, Duration registrationDelay, Instant now) {
        var id = machine.id();
        if (!chance.happens(settings.mishaps().silentRate())) {
            var wait = chance.draw(settings.timing().registration()).plus(registrationDelay);
            timeline.add(now.plus(wait), new Happening.Join(id));
        }
        var interruptions = settings.interruptions().perHour();
        if (machine.isSpot() && interruptions > 0) {
            timeline.add(now.plus(chance.until(interruptions)), new Happening.Notice(id));
        }
        var crashes = settings.mishaps().crashesPerHour();
        if (crashes > 0) {
            timeline.add(now.plus(chance.until(crashes)), new Happening.Crash(id));
        }
    }

    /// A claim whose launch nobody heard of is found by its uid.
    public Timed<TerminateAnswer> terminate(MachineClaim claim, Instant now) {
        settle(now);
        var refusal = gate.refusal(SimApi.TERMINATE, now);
        if (refusal != null) {
            return called(new TerminateAnswer.Failed(refusal.message()), now);
        }
        var machine =
                claim.providerId().isEmpty()
                        ? ofUid(claim.uid())
                        : machines.get(claim.providerId());
        if (machine == null || machine.phase() == Phase.STOPPED) {
            return called(new TerminateAnswer.Gone(), now);
        }
        if (machine.phase() == Phase.RUNNING) {
            machine.enter(Phase.LEAVING);
            timeline.add(
                    now.plus(chance.draw(settings.timing().termination())),
                    new Happening.Stop(machine.id()));
            if (gate.losesAnswer(SimApi.TERMINATE)) {
                return called(new TerminateAnswer.Failed(ApiGate.LOST), now);
            }
        }
        return called(new TerminateAnswer.Started(), now);
    }

    public Timed<FindAnswer> find(String providerId, Instant now) {
        settle(now);
        var refusal = gate.refusal(SimApi.FIND, now);
        if (refusal != null) {
            return called(new FindAnswer.Failed(refusal.message()), now);
        }
        var machine = machines.get(providerId);
        return called(
                machine == null || !machine.isListed(now)
                        ? new FindAnswer.Gone()
                        : new FindAnswer.Found(machine.shown()),
                now);
    }

    public Timed<ListAnswer> list(Instant now) {
        settle(now);
        var refusal = gate.refusal(SimApi.LIST, now);
        if (refusal != null) {
            return called(new ListAnswer.Failed(refusal.message()), now);
        }
        return called(
                new ListAnswer.Machines(
                        machines.sequencedValues().stream()
                                .filter(machine -> machine.isListed(now))
                                .map(SimMachine::shown)
                                .toList()),
                now);
    }

    /// What can be bought as far as is known, at once: the catalogue is the buyer's own.
    public List<InstanceType> catalog(Instant now) {
        settle(now);
        return catalogue.types(now);
    }

    /// A machine that runs an older image than the newest has drifted.
    public DriftAnswer drift(MachineClaim claim, Instant now) {
        settle(now);
        var machine = machines.get(claim.providerId());
        if (machine == null || machine.phase() == Phase.STOPPED) {
            return new DriftAnswer.Gone();
        }
        return machine.shown().imageId().equals(imageId)
                ? new DriftAnswer.InPlace()
                : new DriftAnswer.Drifted("ImageDrift");
    }

    /// Machines launched from now on run this image.
    public void publish(String image) {
        imageId = image;
    }

    /// The weather turns: from now on the cloud behaves like this. The seed stays, and so does how
    /// long refusals are remembered. What was to happen and no longer can does not.
    public void change(SimSettings next, Instant now) {
        settle(now);
        settings = next;
        gate.change(next, now);
        stock.change(next.capacity());
        scheduleWave(now);
    }

    /// Everything that is there and costs money, listed or not: for a judge, not for a provider.
    public List<Machine> truth(Instant now) {
        settle(now);
        return machines.sequencedValues().stream()
                .filter(machine -> machine.phase() != Phase.STOPPED)
                .map(SimMachine::shown)
                .toList();
    }

    /// When something happens next, or null.
    public @Nullable Instant nextEventAt() {
        return timeline.nextAt();
    }

    /// All that happened up to now and was not told yet, in the order of time.
    public List<SimEvent> advance(Instant now) {
        settle(now);
        var told = List.copyOf(events);
        events.clear();
        return told;
    }

    private void settle(Instant now) {
        for (var entry = timeline.poll(now); entry != null; entry = timeline.poll(now)) {
            happen(entry.happening(), entry.at());
        }
    }

    private void happen(Happening happening, Instant at) {
        switch (happening) {
            case Happening.Join(var id) -> {
                var machine = machines.get(id);
                if (machine != null && machine.phase() != Phase.STOPPED) {
                    tell(new SimEvent.Joined(at, machine.shown(), machine.claim()));
                }
            }
            case Happening.Notice(var id) -> {
                if (settings.interruptions().perHour() > 0) {
                    notice(machines.get(id), at);
                }
            }
            case Happening.Interrupt(var id) -> stop(machines.get(id), Cause.INTERRUPTED, at);
            case Happening.Crash(var id) -> {
                if (settings.mishaps().crashesPerHour() > 0) {
                    stop(machines.get(id), Cause.CRASHED, at);
                }
            }
            case Happening.Stop(var id) -> stop(machines.get(id), Cause.TERMINATED, at);
            case Happening.Forget(var id) -> machines.remove(id);
            case Happening.Wave() -> {
                isWaveComing = false;
                if (settings.interruptions().wavesPerHour() > 0) {
                    strike(at);
                }
                scheduleWave(at);
            }
        }
    }

    /// All machines that will be taken back and still run.
    public List<Notice> notices(Instant now) {
        settle(now);
        return machines.sequencedValues().stream()
                .filter(machine -> machine.phase() == Phase.RUNNING)
                .map(SimMachine::notice)
                .filter(Objects::nonNull)
                .toList();
    }

    /// Takes a machine back, with notice, because somebody wants to see it happen.
    ///
    /// @return whether there was one that could be
    public boolean interrupt(String providerId, Instant now) {
        settle(now);
        var machine = machines.get(providerId);
        if (machine == null || !machine.takesNotice()) {
            return false;
        }
        notice(machine, now);
        return true;
    }

    private void notice(@Nullable SimMachine machine, Instant at) {
        if (machine == null || !machine.takesNotice()) {
            return;
        }
        var endsAt = at.plus(settings.interruptions().notice());
        machine.notice(new Notice(machine.id(), at, endsAt));
        timeline.add(endsAt, new Happening.Interrupt(machine.id()));
        stock.close(machine.key(), at);
        catalogue.refuse(List.of(machine.key()), at);
        tell(new SimEvent.Noticed(at, machine.id(), endsAt));
    }

    private void stop(@Nullable SimMachine machine, Cause cause, Instant at) {
        if (machine == null || machine.phase() == Phase.STOPPED) {
            return;
        }
        machine.enter(Phase.STOPPED);
        idsByUid.remove(machine.claim().uid(), machine.id());
        if (cause != Cause.INTERRUPTED) {
            stock.giveBack(machine.key());
        }
        var lag = chance.draw(settings.timing().listing());
        if (lag.isZero()) {
            machines.remove(machine.id());
        } else {
            timeline.add(at.plus(lag), new Happening.Forget(machine.id()));
        }
        tell(new SimEvent.Stopped(at, machine.id(), cause));
    }

    /// Takes back spot machines of one zone.
    private void strike(Instant at) {
        var spot =
                machines.sequencedValues().stream()
                        .filter(machine -> machine.isSpot() && machine.takesNotice())
                        .toList();
        var zones = new TreeSet<String>();
        spot.forEach(machine -> zones.add(machine.key().zone()));
        if (zones.isEmpty()) {
            return;
        }
        var zone = List.copyOf(zones).get(chance.index(zones.size()));
        for (var machine : spot) {
            if (machine.key().zone().equals(zone)
                    && chance.happens(settings.interruptions().waveShare())) {
                notice(machine, at);
            }
        }
    }

    private void scheduleWave(Instant now) {
        var waves = settings.interruptions().wavesPerHour();
        if (waves > 0 && !isWaveComing) {
            isWaveComing = true;
            timeline.add(now.plus(chance.until(waves)), new Happening.Wave());
        }
    }

    private void tell(SimEvent event) {
        if (events.size() == EVENTS_MAX) {
            events.removeFirst();
        }
        events.addLast(event);
    }

    private @Nullable SimMachine ofUid(String uid) {
        var id = idsByUid.get(uid);
        return id == null ? null : machines.get(id);
    }

    private <A> Timed<A> called(A answer, Instant now) {
        return new Timed<>(answer, now.plus(chance.draw(settings.timing().call())));
    }
}
