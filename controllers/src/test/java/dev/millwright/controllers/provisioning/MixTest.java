package dev.millwright.controllers.provisioning;

import static dev.millwright.controllers.provisioning.Provisioning.POOL;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.label.LabelKeys;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.stream.IntStream;

/// A pool that says how many of its nodes are on-demand: ours.
final class MixTest {

    private final Provisioning given = new Provisioning();

    private static String pool(String annotations) {
        return POOL.replace(
                "metadata: {name: default, uid: pool-uid}",
                "metadata: {name: default, uid: pool-uid, annotations: {%s}}"
                        .formatted(annotations));
    }

    /// Each wants a node of its own.
    private static String alone(int number) {
        return """
        apiVersion: v1
        kind: Pod
        metadata: {name: p%d, namespace: shop, labels: {app: web}}
        spec:
          containers: [{name: main, resources: {requests: {cpu: "1"}}}]
          affinity:
            podAntiAffinity:
              requiredDuringSchedulingIgnoredDuringExecution:
              - {topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels: {app: web}}}
        status:
          phase: Pending
          conditions: [{type: PodScheduled, status: "False", reason: Unschedulable}]
        """
                .formatted(number);
    }

    private void provision(int pods) {
        IntStream.range(0, pods).forEach(number -> given.rig.apply(alone(number)));
        given.provision(
                IntStream.range(0, pods).mapToObj(number -> "p" + number).toArray(String[]::new));
    }

    private List<List<String>> capacityTypes() {
        return given.claims().stream()
                .map(
                        claim ->
                                claim.spec().requirements().stream()
                                        .filter(wish -> wish.key().equals(LabelKeys.CAPACITY_TYPE))
                                        .findFirst()
                                        .orElseThrow()
                                        .values())
                .toList();
    }

    private long count(String capacityType) {
        return capacityTypes().stream().filter(List.of(capacityType)::equals).count();
    }

    @Test
    void thePlanIsApportioned() {
        given.rig.apply(
                pool("millwright.dev/on-demand-base: \"2\", millwright.dev/spot-percent: \"50\""));

        provision(8);

        assertThat(count("on-demand")).isEqualTo(5);
        assertThat(count("spot")).isEqualTo(3);
    }

    @Test
    void whatIsThereCounts() {
        given.rig.apply(pool("millwright.dev/on-demand-base: \"1\""));
        given.rig.apply(
                """
                apiVersion: karpenter.sh/v1
                kind: NodeClaim
                metadata:
                  name: there
                  labels: {karpenter.sh/nodepool: default, karpenter.sh/capacity-type: on-demand}
                spec:
                  requirements: []
                  nodeClassRef: {group: karpenter.test.sh, kind: TestNodeClass, name: default}
                status: {providerID: "fake://there"}
                """);

        provision(2);

        assertThat(given.claims().stream().filter(claim -> !claim.name().name().equals("there")))
                .allMatch(
                        claim ->
                                claim.spec().requirements().stream()
                                        .anyMatch(
                                                wish ->
                                                        wish.key().equals(LabelKeys.CAPACITY_TYPE)
                                                                && wish.values()
                                                                        .equals(List.of("spot"))));
    }

    @Test
    void withoutAMixNothingIsNarrowed() {
        given.rig.apply(POOL);

        provision(2);

        assertThat(capacityTypes()).allMatch(types -> types.size() > 1);
    }

    @Test
    void whatMakesNoSenseIsIgnored() {
        given.rig.apply(pool("millwright.dev/spot-percent: lots"));

        provision(2);

        assertThat(capacityTypes()).allMatch(types -> types.size() > 1);
    }

    @Test
    void aPodThatWantsSpotGetsItWhateverTheMix() {
        given.rig.apply(pool("millwright.dev/spot-percent: \"0\""));
        given.rig.apply(
                alone(0).replace(
                                "  affinity:",
                                "  nodeSelector: {karpenter.sh/capacity-type: spot}\n  affinity:"));
        given.provision("p0");

        assertThat(capacityTypes()).containsExactly(List.of("spot"));
    }
}
