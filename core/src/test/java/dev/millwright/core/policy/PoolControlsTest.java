package dev.millwright.core.policy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.List;
import java.util.Map;

class PoolControlsTest {

    private static PoolControls of(String key, String value) {
        return PoolControls.of("web", Map.of("millwright.dev/" + key, value));
    }

    @Test
    void aPoolWithoutAnnotationsSaysNothing() {
        assertThat(PoolControls.of("web", Map.of())).isEqualTo(PoolControls.NONE);
    }

    @Test
    void anAnnotationFreezesWhateverItSays() {
        assertThat(of("freeze", " release\nweek ").freeze())
                .isEqualTo(new Freeze("NodePool web", "release week"));
        assertThat(of("freeze", "").freeze().explain())
                .isEqualTo(
                        "frozen by annotation millwright.dev/freeze of NodePool web; remove it, or run millwright unfreeze");
    }

    @Test
    void aLongReasonIsShortened() {
        assertThat(of("freeze", "x".repeat(1_000)).freeze().why()).hasSize(257).endsWith("…");
    }

    @Test
    void theClustersFreezeOutweighsThePools() {
        var ofCluster = new Freeze("Namespace kube-system", "upgrade");

        assertThat(of("freeze", "mine").within(ofCluster).freeze()).isEqualTo(ofCluster);
        assertThat(of("freeze", "mine").within(null).freeze().why()).isEqualTo("mine");
    }

    @Test
    void anAgeIsReadAsADuration() {
        assertThat(of("expire-softly-after", "168h").expireSoftlyAfter())
                .isEqualTo(Duration.ofDays(7));
        assertThat(of("expire-softly-after", "Never")).isEqualTo(PoolControls.NONE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "7d", "a week", "-1h", "0s", "9m59s", "99999999999999h"})
    void whatIsNoAgeIsAProblem(String text) {
        var controls = of("expire-softly-after", text);

        assertThat(controls.expireSoftlyAfter()).isNull();
        assertThat(controls.problems())
                .containsExactly(
                        "metadata.annotations[millwright.dev/expire-softly-after]: found \"%s\"; wanted a duration of at least 10m0s such as 168h, or Never"
                                .formatted(text));
    }

    @Test
    void windowsThatCannotBeReadAreAProblem() {
        var controls = of("maintenance-windows", "weekends");

        assertThat(controls.windows()).isEqualTo(MaintenanceWindows.NONE);
        assertThat(controls.problems())
                .singleElement()
                .asString()
                .contains("metadata.annotations[millwright.dev/maintenance-windows]", "weekends");
    }

    @Test
    void problemsOfElsewhereComeBesideItsOwn() {
        assertThat(of("expire-softly-after", "7d").and(List.of("spec: x")).problems())
                .hasSize(2)
                .endsWith("spec: x");
    }
}
