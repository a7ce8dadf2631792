package dev.millwright.capi.tree;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.capi.tree.Standing.State;
import dev.millwright.kube.document.DocumentReader;
import dev.millwright.kube.document.Source;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.object.RawObject;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class StandingTest {

    static RawObject object(String yaml) {
        return RawObject.of(
                (Value.Mapping) DocumentReader.readAll(Source.text("object", yaml)).getFirst());
    }

    private static Standing of(String status) {
        return Standing.of(object("{metadata: {name: x}, status: %s}".formatted(status)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{conditions: [{type: Ready, status: 'True'}]} | READY",
                "{conditions: [{type: Ready, status: 'False', reason: Creating}]} | WAITING",
                "{conditions: [{type: Ready, status: 'Unknown'}]} | WAITING",
                "{conditions: [{type: Ready, status: 'False'}, {type: Available, status: 'True'}]} | WAITING",
                "{conditions: [{type: Available, status: 'True'}]} | READY",
                "{conditions: [{type: VPCReady, status: 'True'}, {type: VPCFailed, status: 'True', reason: InvalidVPCConfig}]} | FAILED",
                "{conditions: [{type: VPCFailed, status: 'False'}, {type: VPCReady, status: 'True'}]} | READY",
                "{conditions: [{type: Synced, status: 'False', reason: ReconcileError}, {type: Ready, status: 'True'}]} | FAILED",
                "{conditions: [{type: Synced, status: 'False', reason: ReconcilePaused}, {type: Ready, status: 'True'}]} | READY",
                "{conditions: [{type: Running, status: 'True', reason: Apply, message: m}]} | RUNNING",
                "{ready: true} | READY",
                "{ready: false} | WAITING",
                "{initialization: {provisioned: true}} | READY",
                "{initialization: {controlPlaneInitialized: true}} | READY",
                "{phase: Pending} | WAITING",
                "{failureReason: Broken, failureMessage: no} | FAILED",
                "{} | PRESENT"
            })
    void theStateIsReadFromTheStatus(String status, State state) {
        assertThat(of(status).state()).isEqualTo(state);
    }

    @Test
    void aFailureNamesItsReasonAndMessage() {
        assertThat(
                        of(
                                "{conditions: [{type: Synced, status: 'False', reason: ReconcileError, message: no quota}]}"))
                .isEqualTo(new Standing(State.FAILED, "ReconcileError", "no quota", ""));
    }

    @Test
    void aRunThatFollowsAFailureShowsBoth() {
        assertThat(
                        of(
                                "{conditions: [{type: Synced, status: 'False', reason: ReconcileError, message: no quota}, {type: Running, status: 'True', reason: Plan, message: plan}]}"))
                .isEqualTo(new Standing(State.RUNNING, "Plan", "no quota", "plan"));
    }

    @Test
    void whatGoesIsDeletingWithWhatHoldsIt() {
        var standing =
                Standing.of(
                        object(
                                """
                                metadata: {name: x, deletionTimestamp: "2026-01-01T00:00:00Z"}
                                status: {conditions: [{type: Synced, status: "False", reason: ReconcileError, message: destroy failed}]}
                                """));
        assertThat(standing)
                .isEqualTo(new Standing(State.DELETING, "ReconcileError", "destroy failed", ""));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{metadata: {name: x, annotations: {cluster.x-k8s.io/paused: ''}}}",
                "{metadata: {name: x, annotations: {crossplane.io/paused: 'true'}}}",
                "{metadata: {name: x}, spec: {paused: true}}"
            })
    void whatIsPausedSaysSo(String yaml) {
        assertThat(Standing.of(object(yaml)).state()).isEqualTo(State.PAUSED);
    }
}
