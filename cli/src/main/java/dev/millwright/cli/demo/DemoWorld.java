package dev.millwright.cli.demo;

import dev.millwright.controllers.settings.Settings;
import dev.millwright.controllers.settings.SettingsReader;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.policy.SchedulingPolicy;
import dev.millwright.dashboard.page.Action;
import dev.millwright.dashboard.page.Controls.Outcome;
import dev.millwright.dashboard.picture.Answers;
import dev.millwright.dashboard.picture.History;
import dev.millwright.dashboard.picture.Picture;
import dev.millwright.dashboard.picture.Picture.Kind;
import dev.millwright.dashboard.picture.Picture.Moment;
import dev.millwright.dashboard.picture.Picture.Pace;
import dev.millwright.dashboard.picture.Picture.Price;
import dev.millwright.providers.sim.cloud.SimSettings;
import dev.millwright.spi.Machine;
import dev.millwright.world.World;
import dev.millwright.world.WorldSettings;
import dev.millwright.world.chance.Chance;
import dev.millwright.world.invariant.Judge;
import dev.millwright.world.invariant.Prices;
import dev.millwright.world.invariant.Slack;
import dev.millwright.world.store.ApiStore;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// The world of the demo: a shop's cluster on EC2's machines, the script that moves it, and the
/// picture of it. The same seed tells the same story, as long as no visitor takes part.
public final class DemoWorld implements Show {

    /// How often the price is written down, and how often its bound is proven anew.
    private static final Duration SAMPLE = Duration.ofSeconds(10);

    private static final int SAMPLES_PER_BOUND = 3;

    /// Besides the losses of the script, so that nobody knows the moment.
    private static final double INTERRUPTIONS_PER_HOUR = 0.1;

    /// As people run it.
    private static final Settings OPERATOR =
            SettingsReader.read(Map.of("disable-cluster-state-observability", "true"), Map.of())
                    .settings();

    private final String title;
    private final World world;
    private final Judge judge;
    private final FleetWatch watch;
    private final LeastPrice bound;
    private final ClusterUsers users;
    private final Chance chance;
    private final History history = new History(SAMPLE);
    private double lowerBoundPerHour;
    private long boundedAtChange = -1;
    private long samples;
    private int round;

    private DemoWorld(long seed, World world, Judge judge, FleetWatch watch, LeastPrice bound) {
        this.title = "demo, seed " + seed;
        this.world = world;
        this.judge = judge;
        this.watch = watch;
        this.bound = bound;
        this.users = new ClusterUsers(world.store());
        this.chance = world.chance("script");
    }

    public static DemoWorld of(long seed) {
        var types = MachinesForSale.types();
        var vocabulary = World.traits().vocabulary();
        var prices = new Prices(types);
        var judge = new Judge(vocabulary, prices, Slack.CALM);
        var watch = new FleetWatch(new Stage(vocabulary), new Story(), prices);
        var losses =
                new SimSettings.Interruptions(
                        INTERRUPTIONS_PER_HOUR, SimSettings.Interruptions.NOTICE_DEFAULT, 0, 1);
        var settings =
                WorldSettings.of(seed, types)
                        .withCloud(SimSettings.LIFELIKE.with(losses))
                        .withOperator(OPERATOR);
        var world =
                new World(
                        settings,
                        happening -> {
                            judge.saw(happening);
                            watch.saw(happening);
                        });
        var policy = SchedulingPolicy.DEFAULT.withVocabulary(vocabulary);
        var demo = new DemoWorld(seed, world, judge, watch, new LeastPrice(policy, types));
        demo.begin();
        return demo;
    }

    @Override
    public ApiStore store() {
        return world.store();
    }

    private void begin() {
        users.createAll(Manifests.cluster());
        tell(Kind.WORKLOAD, "a shop comes to an empty cluster");
        bookRound();
        sample();
    }

    private void bookRound() {
        round++;
        for (var beat : Script.round(round, chance)) {
            world.agenda().after(beat.after(), () -> play(beat));
        }
        world.agenda().after(Script.ROUND, this::bookRound);
    }

    private void play(Script.Beat beat) {
        switch (beat) {
            case Script.Beat.Scale(_, var deployment, var replicas, var why) -> {
                users.scale(deployment, replicas);
                tell(Kind.WORKLOAD, "%s: %s goes to %d pods".formatted(why, deployment, replicas));
            }
            case Script.Beat.Burst(_, var job, var pods, var seconds) -> {
                users.createAll(List.of(Manifests.job(job, pods, 1_000, 2_048, seconds)));
                tell(Kind.WORKLOAD, "%s are due: %d pods at once".formatted(job, pods));
            }
            case Script.Beat.Roll(_, var deployment) -> {
                users.roll(deployment, "round-" + round);
                tell(Kind.WORKLOAD, "a new version of %s is rolled out".formatted(deployment));
            }
            case Script.Beat.Loss(_, var machines) -> lose(machines);
        }
    }

    private void lose(int count) {
        var spot =
                new ArrayList<>(world.cloud().truth().stream().filter(DemoWorld::isSpot).toList());
        for (var number = 0; number < count && !spot.isEmpty(); number++) {
            world.cloud().interrupt(spot.remove(chance.index(spot.size())).providerId());
        }
    }

    private static boolean isSpot(Machine machine) {
        return !machine.isTerminating()
                && LabelKeys.CAPACITY_TYPE_SPOT.equals(
                        machine.labels().get(LabelKeys.CAPACITY_TYPE));
    }

    private void tell(Kind kind, String text) {
        watch.tell(world.now(), kind, text);
    }

    private void sample() {
        if (samples++ % SAMPLES_PER_BOUND == 0 && boundedAtChange != watch.stage().podChanges()) {
            boundedAtChange = watch.stage().podChanges();
            lowerBoundPerHour = bound.perHour(watch.stage());
        }
        var pods = new FleetPicture(watch).podsRunning();
        history.add(
                new Moment(
                        world.now(),
                        watch.pricePerHour(),
                        lowerBoundPerHour,
                        watch.stage().claims().size(),
                        pods));
        world.agenda().after(SAMPLE, this::sample);
    }

    @Override
    public Instant now() {
        return world.now();
    }

    @Override
    public void playUntil(Instant end) {
        world.runUntil(end);
    }

    @Override
    public Picture picture() {
        var picture = new FleetPicture(watch);
        return new Picture(
                title,
                new Pace(world.settings().start(), world.now(), 1, false),
                users.isFrozen(),
                picture.nodes(),
                picture.workload(),
                new Price(watch.pricePerHour(), lowerBoundPerHour, history.moments()),
                watch.story().counters(judge.breachCount()),
                watch.story().decisions(),
                watch.upcoming());
    }

    @Override
    public Answers answers() {
        return watch.answers();
    }

    @Override
    public Outcome carryOut(Action action) {
        var outcome =
                switch (action) {
                    case Action.AddPods(var count, var cpu, var mebibytes) ->
                            users.addPods(count, cpu, mebibytes);
                    case Action.Scale(var deployment, var replicas) ->
                            users.scale(deployment, replicas);
                    case Action.Freeze(var wanted) -> users.freeze(wanted);
                    case Action.Interrupt(var node) -> interrupt(node);
                    case Action.Pause _, Action.Speed _ ->
                            new Outcome.Refused("the time of the demo is not the cluster's to set");
                };
        if (outcome instanceof Outcome.Done(var message)) {
            tell(Kind.VISITOR, message);
        }
        return outcome;
    }

    private Outcome interrupt(String node) {
        var claim = watch.stage().claims().get(new ObjectName("", node));
        if (claim == null) {
            return new Outcome.Refused("There is no node %s any more.".formatted(node));
        }
        return !claim.providerId().isEmpty() && world.cloud().interrupt(claim.providerId())
                ? new Outcome.Done("You took node %s back.".formatted(node))
                : new Outcome.Refused(
                        "The cloud cannot take %s back: it is not running, or already going."
                                .formatted(node));
    }
}
