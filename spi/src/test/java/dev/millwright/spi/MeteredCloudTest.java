package dev.millwright.spi;

import static dev.millwright.testing.kit.Given.nodePool;
import static dev.millwright.testing.kit.cloud.MachineClaimBuilder.machineClaim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millwright.spi.CloudCall.Outcome;
import dev.millwright.testing.kit.FakeClock;
import dev.millwright.testing.kit.cloud.FakeCloud;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

final class MeteredCloudTest {

    private record Heard(CloudCall call, double seconds, Outcome outcome) {}

    private final FakeCloud cloud = new FakeCloud(new FakeClock());
    private final List<Heard> heard = new ArrayList<>();
    private final AtomicLong nanos = new AtomicLong();

    /// Each look at the clock finds it a quarter of a second later.
    private final MeteredCloud metered =
            new MeteredCloud(
                    cloud,
                    () -> nanos.addAndGet(250_000_000),
                    (call, seconds, outcome) -> heard.add(new Heard(call, seconds, outcome)));

    @Test
    void everyCallIsTimedAndItsAnswerHandedOn() {
        var claim = machineClaim("a").build();
        metered.launch(claim);
        metered.list();
        metered.catalog(nodePool("default").nodePool());
        metered.drift(claim);
        metered.find("nobody");
        metered.terminate(machineClaim("nobody").build());

        assertThat(heard)
                .containsExactly(
                        new Heard(CloudCall.LAUNCH, 0.25, Outcome.ANSWERED),
                        new Heard(CloudCall.LIST, 0.25, Outcome.ANSWERED),
                        new Heard(CloudCall.CATALOG, 0.25, Outcome.ANSWERED),
                        new Heard(CloudCall.DRIFT, 0.25, Outcome.ANSWERED),
                        new Heard(CloudCall.FIND, 0.25, Outcome.GONE),
                        new Heard(CloudCall.TERMINATE, 0.25, Outcome.GONE));
        assertThat(cloud.machines()).hasSize(1);
    }

    @Test
    void anAnswerIsHandedOnUnchanged() {
        var refused = new LaunchAnswer.Refused("Because", "so");
        cloud.nextLaunch(refused);

        assertThat(metered.launch(machineClaim("a").build())).isSameAs(refused);
        assertThat(heard).extracting(Heard::outcome).containsExactly(Outcome.FAILED);
    }

    @Test
    void aCloudIsMeteredOnce() {
        assertThatThrownBy(() -> new MeteredCloud(metered, nanos::get, (_, _, _) -> {}))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void traitsAndHooksAreTheCloudsOwn() {
        assertThat(metered.traits()).isSameAs(cloud.traits());
        assertThat(metered.registrationHooks()).isSameAs(cloud.registrationHooks());
    }
}
