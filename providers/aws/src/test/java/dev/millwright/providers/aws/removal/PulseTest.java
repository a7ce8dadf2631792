package dev.millwright.providers.aws.removal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.SequencedMap;
import java.util.TreeMap;

final class PulseTest {

    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    private final Pulse pulse = new Pulse();

    private static SequencedMap<String, String> lease(String version) {
        var deeds = new TreeMap<String, String>();
        deeds.put("kube-system", version);
        return deeds;
    }

    private static Instant after(long seconds) {
        return NOON.plus(Duration.ofSeconds(seconds));
    }

    @Test
    void aLeaseThatIsRenewedIsAPulse() {
        pulse.seen(lease("1"), NOON);
        pulse.seen(lease("2"), after(29));

        assertThat(pulse.isStill(after(58))).isFalse();
        assertThat(pulse.isStill(after(59))).isTrue();
    }

    @Test
    void aLeaseThatStaysAsItIsIsNone() {
        pulse.seen(lease("1"), NOON);
        pulse.seen(lease("1"), after(15));

        assertThat(pulse.isStill(after(29))).isFalse();
        assertThat(pulse.isStill(after(30))).isTrue();
    }

    @Test
    void ofNothingSeenNothingIsSaid() {
        assertThat(pulse.isStill(NOON)).isFalse();
    }
}
