package dev.millwright.core.label;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.millwright.core.cluster.HostPort;
import dev.millwright.core.label.Toleration.Match;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.List;

final class PortsAndTaintsTest {

    // Host ports -------------------------------------------------------------------------------

    @Tag("A15")
    @Test
    void aHostPortReadsAsText() {
        assertThat(new HostPort("10.0.0.1", 4443, "TCP"))
                .hasToString("IP=10.0.0.1 Port=4443 Proto=TCP");
    }

    @Tag("A15")
    @Test
    void anEmptyAddressMeansAllAndAnEmptyProtocolMeansTcp() {
        assertThat(new HostPort("", 80, "")).isEqualTo(new HostPort("0.0.0.0", 80, "TCP"));
    }

    @Tag("A15")
    @ParameterizedTest
    @CsvSource({
        "10.0.0.1, 80, TCP, 10.0.0.1, 80, TCP, true",
        "10.0.0.1, 80, TCP, 10.0.0.2, 80, TCP, false",
        "0.0.0.0, 80, TCP, 10.0.0.2, 80, TCP, true",
        "::, 80, TCP, 10.0.0.2, 80, TCP, true",
        "::, 80, TCP, 0.0.0.0, 80, TCP, true",
        "::, 80, TCP, fe80::1, 80, TCP, true",
        "10.0.0.1, 80, TCP, 10.0.0.1, 81, TCP, false",
        "0.0.0.0, 80, TCP, 0.0.0.0, 81, TCP, false",
        "10.0.0.1, 80, TCP, 10.0.0.1, 80, UDP, false",
        "0.0.0.0, 80, TCP, 0.0.0.0, 80, UDP, false"
    })
    void hostPortsClashByAddressPortAndProtocol(
            String ip,
            int port,
            String protocol,
            String otherIp,
            int otherPort,
            String otherProtocol,
            boolean isClash) {
        var one = new HostPort(ip, port, protocol);
        var other = new HostPort(otherIp, otherPort, otherProtocol);

        assertThat(one.clashesWith(other)).isEqualTo(isClash);
        assertThat(other.clashesWith(one)).isEqualTo(isClash);
    }

    // Taints -----------------------------------------------------------------------------------

    @Tag("A16")
    @ParameterizedTest
    @CsvSource({
        "node.kubernetes.io/not-ready, '', NO_SCHEDULE, true",
        "node.kubernetes.io/not-ready, '', NO_EXECUTE, true",
        "node.kubernetes.io/not-ready, '', PREFER_NO_SCHEDULE, false",
        "node.kubernetes.io/unreachable, '', NO_SCHEDULE, true",
        "node.kubernetes.io/unreachable, '', NO_EXECUTE, false",
        "node.cloudprovider.kubernetes.io/uninitialized, true, NO_SCHEDULE, true",
        "node.cloudprovider.kubernetes.io/uninitialized, other, NO_SCHEDULE, true",
        "karpenter.sh/unregistered, '', NO_EXECUTE, true",
        "karpenter.sh/unregistered, '', NO_SCHEDULE, false",
        "readiness.k8s.io/network, '', NO_SCHEDULE, true",
        "readiness.k8s.io/network, x, NO_EXECUTE, true",
        "readiness.k8s.io/network, x, PREFER_NO_SCHEDULE, true",
        "example.com/readiness.k8s.io/network, '', NO_SCHEDULE, false",
        "readiness.k8s.io, '', NO_SCHEDULE, false",
        "karpenter.sh/disrupted, '', NO_SCHEDULE, false",
        "team, a, NO_SCHEDULE, false"
    })
    void taintsThatVanishWhileANodeStartsAreKnownByKeyAndEffect(
            String key, String value, Effect effect, boolean isEphemeral) {
        assertThat(new Taint(key, value, effect).isEphemeral()).isEqualTo(isEphemeral);
    }

    @Tag("A16")
    @Test
    void withoutTaintsNothingIsUntolerated() {
        assertThat(Taint.firstUntolerated(List.of(), List.of())).isNull();
    }

    @Test
    void theFirstTaintNobodyToleratesIsTold() {
        var known = new Taint("a", "1", Effect.NO_SCHEDULE);
        var unknown = new Taint("b", "2", Effect.NO_EXECUTE);
        var toleration = new Toleration("a", Match.EQUAL, "1", Effect.NO_SCHEDULE);

        var found = Taint.firstUntolerated(List.of(known, unknown), List.of(toleration));

        assertThat(found).isEqualTo(unknown).hasToString("b=2:NoExecute");
    }

    @Test
    void aTaintWithoutAValueReadsAsItsKeyAndEffect() {
        assertThat(new Taint("a", "", Effect.NO_SCHEDULE)).hasToString("a:NoSchedule");
    }

    @ParameterizedTest
    @EnumSource
    void anEffectIsReadAsItIsWritten(Effect effect) {
        assertThat(Effect.parse(effect.text())).isEqualTo(effect);
    }

    @Test
    void anUnknownEffectIsAnsweredWithTheKnownOnes() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Effect.parse("NoScheduling"))
                .withMessage(
                        "effect \"NoScheduling\" is unknown; wanted one of NoSchedule, PreferNoSchedule, NoExecute");
    }

    @ParameterizedTest
    @CsvSource({
        "a, EQUAL, 1, NO_SCHEDULE, true",
        "a, EQUAL, 1, , true",
        "a, EQUAL, 1, NO_EXECUTE, false",
        "a, EQUAL, 2, NO_SCHEDULE, false",
        "b, EQUAL, 1, NO_SCHEDULE, false",
        "a, EXISTS, '', NO_SCHEDULE, true",
        "a, EXISTS, '', , true",
        "b, EXISTS, '', , false",
        "'', EXISTS, '', , true",
        "'', EXISTS, '', NO_SCHEDULE, true",
        "'', EXISTS, '', NO_EXECUTE, false",
        "a, LESS_THAN, 2, NO_SCHEDULE, true",
        "a, LESS_THAN, 1, NO_SCHEDULE, false",
        "a, GREATER_THAN, 0, NO_SCHEDULE, true",
        "a, GREATER_THAN, 1, NO_SCHEDULE, false",
        "a, GREATER_THAN, x, NO_SCHEDULE, false"
    })
    void aTolerationCoversByKeyValueAndEffect(
            String key, Match match, String value, Effect effect, boolean isTolerated) {
        var taint = new Taint("a", "1", Effect.NO_SCHEDULE);

        assertThat(new Toleration(key, match, value, effect).tolerates(taint))
                .isEqualTo(isTolerated);
    }
}
