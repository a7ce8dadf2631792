package dev.millwright.providers.sim.cloud;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.label.LabelKeys;
import dev.millwright.providers.sim.cloud.SimSettings.ApiFaults;
import dev.millwright.providers.sim.cloud.SimSettings.Capacity;
import dev.millwright.providers.sim.cloud.SimSettings.CapacityRule;
import dev.millwright.providers.sim.cloud.SimSettings.Interruptions;
import dev.millwright.providers.sim.cloud.SimSettings.Mishaps;
import dev.millwright.providers.sim.cloud.SimSettings.Throttle;
import dev.millwright.spi.LaunchAnswer;
import dev.millwright.spi.Machine;
import dev.millwright.spi.MachineClaim;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.LongStream;

/// On its worst days, from many seeds. A failing seed is the parameter of the test that fails.
final class SimCloudProperties {

    private static final int SEEDS = 20;
    private static final int CALLS = 150;
    private static final int CLAIMS = 30;

    /// Open to some forty offerings.
    private static MachineClaim claim(String name) {
        return Script.claim(
                name,
                "",
                Script.wish(
                        LabelKeys.INSTANCE_TYPE,
                        "c-1x-amd64-linux",
                        "c-2x-amd64-linux",
                        "c-4x-amd64-linux",
                        "m-1x-amd64-linux",
                        "s-1x-amd64-linux"));
    }

    static LongStream seeds() {
        return LongStream.rangeClosed(1, SEEDS);
    }

    private static SimSettings storm(long seed) {
        var faults = new ApiFaults(new Throttle(5, 10), 0.1, 0.2);
        return SimSettings.LIFELIKE
                .withSeed(seed)
                .with(
                        new Capacity(
                                List.of(new CapacityRule("c-*", "*", "*", 3, true)),
                                0.05,
                                Duration.ofMinutes(10),
                                Capacity.REMEMBERED_DEFAULT))
                .with(SimApi.LAUNCH, faults)
                .with(SimApi.TERMINATE, faults)
                .with(SimApi.FIND, faults)
                .with(SimApi.LIST, faults)
                .with(new Interruptions(2, Duration.ofMinutes(2), 1, 0.5))
                .with(new Mishaps(0.05, 0.05, 0.5));
    }

    /// Makes calls by chance and writes down everything that came of them.
    private static final class Run {
        final Script script;
        final List<Object> log = new ArrayList<>();
        final TreeMap<String, Machine> known = new TreeMap<>();
        private final SplittableRandom calls;

        Run(long seed) {
            script = new Script(storm(seed));
            calls = new SplittableRandom(seed);
        }

        Run play() {
            for (var call = 0; call < CALLS; call++) {
                script.pass(Duration.ofMillis(calls.nextInt(20_000)));
                call("claim-" + calls.nextInt(CLAIMS));
                log.addAll(script.cloud.advance(script.now));
            }
            return this;
        }

        private void call(String name) {
            switch (calls.nextInt(4)) {
                case 0, 1 -> {
                    var answer = script.launch(claim(name));
                    log.add(answer);
                    if (answer.answer() instanceof LaunchAnswer.Launched(var machine)) {
                        known.put(name, machine);
                    }
                }
                case 2 -> {
                    var machine = known.remove(name);
                    if (machine != null) {
                        log.add(
                                script.cloud.terminate(
                                        Script.ofMachine(name, machine), script.now));
                    }
                }
                default -> log.add(script.cloud.list(script.now));
            }
        }

        /// Time passes quietly until listings are true again.
        void calm() {
            script.cloud.change(SimSettings.DEFAULT, script.now);
            script.pass(Duration.ofHours(1));
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void theSameSeedGivesTheSameAnswers(long seed) {
        assertThat(new Run(seed).play().log).isEqualTo(new Run(seed).play().log);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void afterTheStormWhatIsListedIsWhatIsThereAndCanAllBeTerminated(long seed) {
        var run = new Run(seed).play();
        run.calm();

        var listed = run.script.listed();
        assertThat(listed).isEqualTo(run.script.cloud.truth(run.script.now));
        listed.forEach(
                machine ->
                        run.script.cloud.terminate(
                                Script.ofMachine("any", machine), run.script.now));
        assertThat(run.script.cloud.truth(run.script.now)).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void everyClaimCanBeLaunchedAfterTheStormAndHasOneMachine(long seed) {
        var run = new Run(seed).play();
        run.calm();
        var before = run.script.cloud.truth(run.script.now).size();

        var first = run.script.launched(claim("claim-0"));
        var second = run.script.launched(claim("claim-0"));

        assertThat(second).isEqualTo(first);
        assertThat(run.script.cloud.truth(run.script.now)).hasSizeBetween(before, before + 1);
    }
}
