package dev.millwright.providers.sim.cloud;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millwright.kube.document.DocumentReader;
import dev.millwright.kube.document.Faults;
import dev.millwright.kube.document.Field;
import dev.millwright.kube.document.Source;
import dev.millwright.providers.sim.cloud.SimSettings.ApiFaults;
import dev.millwright.providers.sim.cloud.SimSettings.Capacity;
import dev.millwright.providers.sim.cloud.SimSettings.CapacityRule;
import dev.millwright.providers.sim.cloud.SimSettings.Interruptions;
import dev.millwright.providers.sim.cloud.SimSettings.Mishaps;
import dev.millwright.providers.sim.cloud.SimSettings.Throttle;
import dev.millwright.providers.sim.cloud.SimSettings.Timing;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Map;

final class SimSettingsReaderTest {

    @Test
    void everySettingIsRead() {
        var settings =
                read(
                        """
                        seed: 7
                        timing:
                          launch: 800ms, 1.5s, 6s
                          call: 90ms
                          registration: 10s, 20s, 30s
                          listing: 1s
                          termination: 2m
                        capacity:
                          rules:
                            - {type: "m5.*", zone: us-east-1a, capacityType: spot, machines: 3, recovers: false}
                            - {type: "*", machines: 100}
                          outageRate: 0.25
                          outage: 4m
                          remembered: 1m
                        faults:
                          launch: {throttle: {perSecond: 2, burst: 5}, errorRate: 0.1, lostRate: 0.2}
                          list: {errorRate: 1}
                        interruptions: {perHour: 0.5, notice: 90s, wavesPerHour: 2, waveShare: 0.75}
                        mishaps: {leakRate: 0.01, silentRate: 0.02, crashesPerHour: 0.03}
                        """);

        assertThat(settings)
                .isEqualTo(
                        new SimSettings(
                                7,
                                new Timing(
                                        Delay.ofMillis(800, 1_500, 6_000),
                                        Delay.always(Duration.ofMillis(90)),
                                        Delay.ofSeconds(10, 20, 30),
                                        Delay.always(Duration.ofSeconds(1)),
                                        Delay.always(Duration.ofMinutes(2))),
                                new Capacity(
                                        List.of(
                                                new CapacityRule(
                                                        "m5.*", "us-east-1a", "spot", 3, false),
                                                new CapacityRule("*", "*", "*", 100, true)),
                                        0.25,
                                        Duration.ofMinutes(4),
                                        Duration.ofMinutes(1)),
                                Map.of(
                                        SimApi.LAUNCH,
                                        new ApiFaults(new Throttle(2, 5), 0.1, 0.2),
                                        SimApi.LIST,
                                        new ApiFaults(null, 1, 0)),
                                new Interruptions(0.5, Duration.ofSeconds(90), 2, 0.75),
                                new Mishaps(0.01, 0.02, 0.03)));
    }

    @Test
    void whatIsNotNamedStaysAsItWas() {
        assertThat(read("seed: 1")).isEqualTo(SimSettings.DEFAULT);
        assertThat(read("timing: {like: lifelike, call: 1s}").timing())
                .isEqualTo(
                        new Timing(
                                Timing.LIFELIKE.launch(),
                                Delay.always(Duration.ofSeconds(1)),
                                Timing.LIFELIKE.registration(),
                                Timing.LIFELIKE.listing(),
                                Timing.LIFELIKE.termination()));
    }

    @Test
    void allFaultsAreToldAtOnce() {
        assertThatThrownBy(
                        () ->
                                read(
                                        """
                                        sead: 7
                                        timing: {like: slow, launch: soon, listing: "3s, 2s, 1s"}
                                        capacity: {outageRate: 2, rules: [{type: m5.large}]}
                                        faults:
                                          lounch: {errorRate: 1}
                                          find: {throttle: {burst: 1}}
                                        interruptions: {notice: -1s}
                                        """))
                .hasMessageContainingAll(
                        "sead",
                        "slow",
                        "soon",
                        "3s, 2s, 1s",
                        "outageRate",
                        "machines",
                        "lounch",
                        "perSecond",
                        "notice");
    }

    private static SimSettings read(String yaml) {
        var values = DocumentReader.readAll(Source.text("test", yaml));
        var faults = new Faults();
        var settings =
                SimSettingsReader.read(
                        Field.root("cloud", values.getFirst(), faults), SimSettings.DEFAULT);
        faults.throwIfAny();
        return settings;
    }
}
