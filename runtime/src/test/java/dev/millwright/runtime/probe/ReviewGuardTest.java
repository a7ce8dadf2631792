package dev.millwright.runtime.probe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.document.Tree;
import dev.millwright.runtime.probe.Guard.Verdict;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.time.Instant;

final class ReviewGuardTest {

    private static final String TOKEN = "Bearer secret-of-prometheus";

    private final Reviewer reviewer = new Reviewer();
    private Instant now = Instant.EPOCH;
    private final ReviewGuard guard = new ReviewGuard(reviewer, () -> now, new SilentLog());

    @Test
    void whoIsKnownAndAllowedReads() {
        assertThat(guard.judge("/metrics", TOKEN)).isEqualTo(Verdict.ALLOWED);
        assertThat(reviewer.asked())
                .containsExactly(
                        "{\"token\":\"secret-of-prometheus\"}",
                        "{\"user\":\"scraper\",\"groups\":[\"monitoring\"],\"nonResourceAttributes\":{\"path\":\"/metrics\",\"verb\":\"get\"}}");
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"", "Basic dXNlcjpwYXNz", "Bearer ", "bearer"})
    void withoutATokenNobodyIsAsked(String header) {
        assertThat(guard.judge("/metrics", header)).isEqualTo(Verdict.UNAUTHENTICATED);
        assertThat(reviewer.asked()).isEmpty();
    }

    @Test
    void aTokenNobodyKnowsIsRefusedAndTheAnswerIsKeptForTenSeconds() {
        reviewer.isKnown = false;
        assertThat(guard.judge("/metrics", TOKEN)).isEqualTo(Verdict.UNAUTHENTICATED);
        reviewer.isKnown = true;
        assertThat(guard.judge("/metrics", TOKEN)).isEqualTo(Verdict.UNAUTHENTICATED);
        now = now.plusSeconds(10);
        assertThat(guard.judge("/metrics", TOKEN)).isEqualTo(Verdict.ALLOWED);
    }

    @Test
    void whoHasNoRightIsForbidden() {
        reviewer.isAllowed = false;
        assertThat(guard.judge("/metrics", TOKEN)).isEqualTo(Verdict.FORBIDDEN);
    }

    @Test
    void aRightThatWasTakenAwayEndsWithinAMinute() {
        assertThat(guard.judge("/metrics", TOKEN)).isEqualTo(Verdict.ALLOWED);
        reviewer.isAllowed = false;
        assertThat(guard.judge("/metrics", TOKEN)).isEqualTo(Verdict.ALLOWED);
        now = now.plus(Duration.ofMinutes(1));
        assertThat(guard.judge("/metrics", TOKEN)).isEqualTo(Verdict.FORBIDDEN);
    }

    @Test
    void aRightToOnePathIsNoneToAnother() {
        assertThat(guard.judge("/metrics", TOKEN)).isEqualTo(Verdict.ALLOWED);
        reviewer.isAllowed = false;
        assertThat(guard.judge("/debug/pprof", TOKEN)).isEqualTo(Verdict.FORBIDDEN);
    }

    @Test
    void whatTheServerDoesNotSayIsAskedAgain() {
        reviewer.instead = new ApiAnswer.Unreachable("broken");
        assertThat(guard.judge("/metrics", TOKEN)).isEqualTo(Verdict.UNDECIDED);
        reviewer.instead = null;
        assertThat(guard.judge("/metrics", TOKEN)).isEqualTo(Verdict.ALLOWED);
    }

    @Test
    void anAnswerOfAnotherShapeAllowsNothing() {
        reviewer.instead = new ApiAnswer.Done(Tree.of("status", "yes").mapping());
        assertThat(guard.judge("/metrics", TOKEN)).isEqualTo(Verdict.UNAUTHENTICATED);
    }

    @Test
    void ofManyTokensTheOldestIsForgotten() {
        assertThat(guard.judge("/metrics", TOKEN)).isEqualTo(Verdict.ALLOWED);
        for (var stranger = 0; stranger < 256; stranger++) {
            guard.judge("/metrics", "Bearer " + stranger);
        }
        reviewer.isAllowed = false;
        assertThat(guard.judge("/metrics", TOKEN)).isEqualTo(Verdict.FORBIDDEN);
    }
}
