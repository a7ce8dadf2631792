package dev.millwright.controllers.provisioning;

import static dev.millwright.controllers.provisioning.Provisioning.POOL;
import static dev.millwright.controllers.provisioning.Provisioning.pod;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.runtime.step.Controller;
import dev.millwright.runtime.step.Step.Ending;

import org.junit.jupiter.api.Test;

import java.time.Duration;

/// A claim that may have been made: the API server was asked for it and did not answer.
final class ClaimsInDoubtTest {

    private static final Ending WAITS = new Ending.Again(Duration.ofSeconds(1));

    private final Provisioning given = new Provisioning();

    /// A claim of the pool with so many cpus, whose machine is on its way.
    private static String claim(String name, int cpus) {
        return """
        apiVersion: karpenter.sh/v1
        kind: NodeClaim
        metadata:
          name: %s
          uid: %1$s-uid
          labels: {karpenter.sh/nodepool: default, topology.kubernetes.io/zone: test-zone-1}
        spec:
          nodeClassRef: {group: karpenter.test.sh, kind: TestNodeClass, name: default}
          requirements: []
        status:
          providerID: fake://%1$s
          capacity: {cpu: "%2$d", memory: 8Gi, pods: "10"}
          allocatable: {cpu: "%2$d", memory: 8Gi, pods: "10"}
        """
                .formatted(name, cpus);
    }

    private void unanswered() {
        given.rig.apply(POOL).apply(pod("a"));
        given.rig.api().nextAnswer(new ApiAnswer.Unreachable("no answer"));
        given.provision("a");
    }

    @Test
    void noPlanIsMadeWhileAClaimIsInDoubt() {
        unanswered();

        assertThat(given.provision("a")).isEqualTo(WAITS);
        assertThat(given.claims()).isEmpty();
    }

    @Test
    void aClaimThatIsNotSeenForHalfAMinuteWasNotMade() {
        unanswered();

        given.rig.advance(Duration.ofSeconds(27));
        assertThat(given.provision("a")).isEqualTo(WAITS);

        given.rig.advance(Duration.ofSeconds(1));
        given.rig.run(given.provisioner, Controller.SINGLETON);
        assertThat(given.claims()).hasSize(1);
    }

    @Test
    void aClaimThatIsSeenEndsTheDoubt() {
        unanswered();
        given.rig.apply(claim("made", 4));

        assertThat(given.provision("a")).isNotEqualTo(WAITS);
        assertThat(given.claims()).hasSize(1);
        assertThat(given.marks.isNominated("made", given.rig.now())).isTrue();
    }

    @Test
    void aClaimThatWasThereBeforeSaysNothing() {
        given.rig.apply(claim("old", 0));
        unanswered();

        assertThat(given.provision("a")).isEqualTo(WAITS);
        assertThat(given.claims()).hasSize(1);
    }
}
