package dev.millwright.world.story;

import dev.millwright.controllers.settings.Settings;
import dev.millwright.core.catalog.InstanceType;
import dev.millwright.kube.client.Metadata;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.providers.sim.Ec2Catalogue;
import dev.millwright.providers.sim.Ec2Settings;
import dev.millwright.spi.ec2.Ec2Labels;
import dev.millwright.world.World;
import dev.millwright.world.WorldSettings;
import dev.millwright.world.happening.Journal;
import dev.millwright.world.happening.Witness;
import dev.millwright.world.invariant.EndState;
import dev.millwright.world.invariant.Judge;
import dev.millwright.world.invariant.Prices;
import dev.millwright.world.invariant.Slack;
import dev.millwright.world.scenario.Users;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/// Where scenes are played. Many may be played at once, each by a thread of its own.
public final class Theatre {

    private static final List<String> ZONES = List.of("us-east-1a", "us-east-1b", "us-east-1c");

    /// What scenarios buy, of two makers and two generations. A plan looks at every type for every
    /// pool; with all of EC2 most of a small world's time would go there.
    private static final Pattern TYPES =
            Pattern.compile("([cmr]6i|[cmr]7a|g4dn|g5)\\.(large|[24]?xlarge)");

    private final List<InstanceType> types;
    private final Prices prices;
    private final Settings operator;

    public Theatre(List<InstanceType> types) {
        this(types, WorldSettings.usualOperator());
    }

    private Theatre(List<InstanceType> types, Settings operator) {
        this.types = List.copyOf(types);
        this.prices = new Prices(types);
        this.operator = operator;
    }

    /// The same with an operator that was told otherwise.
    public Theatre with(Settings other) {
        return new Theatre(types, other);
    }

    /// With what EC2 sells in three zones.
    public static Theatre ec2() {
        return new Theatre(
                Ec2Catalogue.load().instanceTypes(Ec2Settings.DEFAULT.withZones(ZONES)).stream()
                        .filter(type -> TYPES.matcher(type.name()).matches())
                        .toList());
    }

    public Ending play(Scene scene) {
        return play(scene, _ -> {}, _ -> {});
    }

    /// `audience` sees what happens besides the judge; `sabotage` may tamper with the world before
    /// it begins.
    public Ending play(Scene scene, Witness audience, Consumer<World> sabotage) {
        var settings =
                WorldSettings.of(scene.seed(), types)
                        .withFaults(scene.faults(), scene.calmAfter())
                        .withCloud(scene.cloud())
                        .withOperator(operator);
        var judge = new Judge(Ec2Labels.VOCABULARY, prices, Slack.of(scene.faults()));
        var figures =
                new Figures(
                        prices,
                        settings.start(),
                        settings.start().plus(scene.calmAfter()).plus(Scene.CALM));
        var journal = new Journal(_ -> {});
        var world =
                new World(
                        settings,
                        happening -> {
                            judge.saw(happening);
                            figures.saw(happening);
                            journal.saw(happening);
                            audience.saw(happening);
                        });
        users(world).play(scene.script(), world.agenda());
        sabotage.accept(world);
        var calm = run(world, scene, judge);
        var end = world.now();
        judge.end(end);
        return new Ending(
                judge.breaches(),
                calm,
                journal.digest(),
                figures.happenings(),
                figures.pods(),
                figures.launches(),
                figures.terminations(),
                figures.evictions(),
                figures.pricePerHourMean(end));
    }

    /// Stops just before users delete everything, to see that all is well.
    private static EndState run(World world, Scene scene, Judge judge) {
        var start = world.now();
        var end = start.plus(scene.end());
        var calmEnd = start.plus(scene.calmAfter()).plus(Scene.CALM);
        if (!calmEnd.isBefore(end)) {
            world.runUntil(end);
            return EndState.of(judge.cluster(), world.now());
        }
        world.runUntil(calmEnd.minus(Duration.ofMillis(1)));
        var calm = EndState.of(judge.cluster(), world.now());
        world.runUntil(end);
        return calm;
    }

    private static Users users(World world) {
        return new Users(
                new Users.Reach(
                        write -> world.store().write("user", write),
                        () ->
                                world.store().all(ResourceType.NODE).stream()
                                        .map(node -> Metadata.of(node).name())
                                        .toList(),
                        world.cloud()::publish));
    }
}
