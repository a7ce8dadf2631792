package dev.millwright.controllers.provisioning;

import static dev.millwright.controllers.provisioning.Provisioning.POOL;
import static dev.millwright.controllers.provisioning.Provisioning.pod;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.controllers.metrics.Families;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.label.AnnotationKeys;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.runtime.step.Controller;
import dev.millwright.runtime.step.Step.Ending;
import dev.millwright.testing.kit.cluster.Rig;
import dev.millwright.testing.kit.step.StepRig;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.time.Duration;

/// A pass on a cluster: what is written, said and measured.
final class ProvisionerTest {

    private static final ObjectName A = new ObjectName("shop", "a");

    private final Provisioning given = new Provisioning();
    private final Rig rig = given.rig;

    @Test
    void aPodThatWaitsGetsAClaim() {
        rig.apply(POOL).apply(pod("a"));

        given.provision("a");

        assertThat(given.claims()).hasSize(1);
        assertThat(rig.count(Families.NODECLAIMS_CREATED, "provisioned", "default", "false"))
                .isEqualTo(1);
        assertThat(rig.eventReasons()).containsExactly("Nominated");
    }

    @Tag("B103")
    @Test
    void nothingIsEverBound() {
        rig.apply(POOL).apply(pod("a"));

        given.provision("a");

        assertThat(rig.api().writes()).allMatch(write -> write instanceof ApiWrite.Create);
        assertThat(rig.pod("shop", "a").nodeName()).isEmpty();
    }

    @Test
    void theSamePassAgainMakesNoSecondClaim() {
        rig.apply(POOL).apply(pod("a"));
        given.provision("a");
        launched();

        given.provision("a");

        assertThat(given.claims()).hasSize(1);
    }

    @Test
    void whileTheCloudOwesAnAnswerThePassWaits() {
        rig.apply(POOL).apply(pod("a"));
        given.provision("a");

        var ending = given.provision("a");

        assertThat(ending).isEqualTo(new Ending.Again(Duration.ofMillis(100)));
        assertThat(given.claims()).hasSize(1);
    }

    @Test
    void aPodThatIsTriggeredCallsTheProvisionerAndComesAgain() {
        rig.apply(POOL).apply(pod("a"));

        var ending = rig.run(given.podTrigger, A);

        assertThat(ending).isEqualTo(new Ending.Again(Duration.ofSeconds(10)));
        assertThat(rig.rings())
                .containsExactly(new StepRig.Ring(Provisioner.NAME, Controller.SINGLETON));
    }

    @Test
    void aPodThatIsGoneTriggersNothing() {
        assertThat(rig.run(given.podTrigger, A)).isEqualTo(new Ending.Done());
        assertThat(rig.rings()).isEmpty();
    }

    @Test
    void aRefusedCreationIsToldAndTriedAgain() {
        rig.apply(POOL).apply(pod("a"));
        rig.api().nextAnswer(new ApiAnswer.Refused(500, "InternalError", "etcd is away"));

        assertThat(given.provision("a")).isInstanceOf(Ending.Failed.class);
        assertThat(given.claims()).isEmpty();
    }

    @Test
    void aPoolOfAnotherProviderIsNotUsed() {
        rig.apply(POOL.replace("karpenter.test.sh", "karpenter.other.sh")).apply(pod("a"));

        given.provision("a");

        assertThat(given.claims()).isEmpty();
        assertThat(rig.eventReasons()).containsExactly("FailedScheduling");
    }

    @Test
    void aPoolThatCanBuyNothingIsToldSo() {
        rig.apply(POOL.replace("test-zone-1", "test-zone-9")).apply(pod("a"));

        given.provision("a");

        assertThat(rig.eventReasons())
                .containsExactlyInAnyOrder("NoCompatibleInstanceTypes", "FailedScheduling");
    }

    @Tag("B142")
    @Test
    void unschedulablePodsAreCounted() {
        rig.apply(POOL.replace("test-zone-1", "test-zone-9")).apply(pod("a")).apply(pod("b"));

        given.provision("a", "b");

        assertThat(rig.gauge(Families.SCHEDULER_UNSCHEDULABLE_PODS, "provisioner")).isEqualTo(2);
    }

    @Tag("B143")
    @Test
    void theDurationOfAPassIsTold() {
        rig.apply(POOL).apply(pod("a"));

        given.provision("a");

        assertThat(rig.observations(Families.SCHEDULER_DURATION, "provisioner")).hasSize(1);
    }

    @Tag("B144")
    @Test
    void theLatencyOfADecisionIsToldOnce() {
        rig.apply(POOL).apply(pod("a"));
        given.provision("a");
        launched();
        given.provision("a");

        assertThat(rig.observations(Families.PODS_SCHEDULING_DECISION)).containsExactly(2.0);
    }

    @Tag("F6")
    @Test
    void aGlobalTerminationGracePeriodIsUsed() {
        var global = new Provisioning(Duration.ofMinutes(5));
        global.rig.apply(POOL).apply(pod("a"));

        global.provision("a");

        assertThat(global.claims().getFirst().spec().terminationGracePeriod())
                .isEqualTo(Duration.ofMinutes(5));
    }

    @Tag("F7")
    @Test
    void withoutATerminationGracePeriodNoneIsSet() {
        rig.apply(POOL).apply(pod("a"));

        given.provision("a");

        assertThat(given.claims().getFirst().spec().terminationGracePeriod()).isNull();
    }

    @Tag("F8")
    @Test
    void thePoolsTerminationGracePeriodWins() {
        var global = new Provisioning(Duration.ofMinutes(5));
        global.rig
                .apply(
                        POOL.replace(
                                "expireAfter: 720h",
                                "expireAfter: 720h\n      terminationGracePeriod: 30s"))
                .apply(pod("a"));

        global.provision("a");

        assertThat(global.claims().getFirst().spec().terminationGracePeriod())
                .isEqualTo(Duration.ofSeconds(30));
    }

    @Tag("F11")
    @Tag("F12")
    @Test
    void theTimeOfAHealthyPoolIsRemembered() {
        rig.apply(POOL + "  - {type: NodeRegistrationHealthy, status: 'True'}\n").apply(pod("a"));

        given.provision("a");

        var known = given.times.find(A);
        assertThat(known.schedulableOnHealthyPoolAt()).isEqualTo(rig.now());
    }

    @Tag("F11")
    @Test
    void aPoolOfUnknownHealthIsNoHealthyPool() {
        rig.apply(POOL).apply(pod("a"));

        given.provision("a");

        var known = given.times.find(A);
        assertThat(known.schedulableAt()).isEqualTo(rig.now());
        assertThat(known.schedulableOnHealthyPoolAt()).isNull();
    }

    @Tag("F17")
    @Test
    void thePoolsHashOfThePassIsWritten() {
        rig.apply(POOL).apply(pod("a"));
        var hash = rig.pool("default").hash();

        given.provision("a");

        assertThat(given.claims().getFirst().meta().annotations())
                .containsEntry(AnnotationKeys.NODE_POOL_HASH, hash)
                .containsEntry(AnnotationKeys.NODE_POOL_HASH_VERSION, "v3");
    }

    @Tag("F51")
    @Tag("F52")
    @Tag("F55")
    @Tag("F56")
    @Tag("F62")
    @Tag("F63")
    @Test
    void thePoolsTemplateReachesTheClaim() {
        rig.apply(POOL).apply(pod("a"));

        given.provision("a");

        var claim = given.claims().getFirst();
        assertThat(claim.meta().annotations()).containsEntry("note", "hello");
        assertThat(claim.meta().labels())
                .containsEntry("team", "shop")
                .containsEntry(LabelKeys.NODE_POOL, "default")
                .doesNotContainKey(LabelKeys.ZONE);
        assertThat(claim.spec().taints())
                .extracting(taint -> taint.key())
                .containsExactly("example.com/quiet");
        assertThat(claim.spec().nodeClassRef().name()).isEqualTo("default");
        assertThat(claim.spec().expireAfter()).isEqualTo(Duration.ofDays(30));
        assertThat(claim.meta().owners())
                .singleElement()
                .satisfies(
                        owner -> {
                            assertThat(owner.kind()).isEqualTo("NodePool");
                            assertThat(owner.uid()).isEqualTo("pool-uid");
                            assertThat(owner.isController()).isFalse();
                            assertThat(owner.blocksOwnerDeletion()).isTrue();
                        });
    }

    @Test
    void aPodThatFitsANodeNominatesIt() {
        rig.apply(POOL)
                .apply(
                        """
                        apiVersion: v1
                        kind: Node
                        metadata: {name: n1, labels: {kubernetes.io/hostname: n1}}
                        status: {allocatable: {cpu: "4", memory: 8Gi, pods: "10"}, capacity: {cpu: "4", memory: 8Gi, pods: "10"}}
                        """)
                .apply(pod("a"));

        given.provision("a");

        assertThat(given.claims()).isEmpty();
        assertThat(given.marks.isNominated("n1", rig.now())).isTrue();
        assertThat(given.marks.isNominated("n1", rig.now().plusSeconds(20))).isFalse();
    }

    @Test
    void aPoolBeyondItsLimitMakesNoClaimAndSaysWhy() {
        rig.apply(POOL.replace("  template:", "  limits: {cpu: \"0\"}\n  template:"))
                .apply(pod("a"));

        given.provision("a");

        assertThat(given.claims()).isEmpty();
        assertThat(rig.events().getFirst().message()).contains("limit");
    }

    /// Plays the cloud's answer for all claims.
    private void launched() {
        for (var claim : given.claims()) {
            var status =
                    Tree.of("providerID", "fake://" + claim.name().name())
                            .put(
                                    "allocatable",
                                    Tree.of("cpu", "4").put("memory", "4Gi").put("pods", "5"));
            rig.api()
                    .write(
                            new ApiWrite.Patch(
                                    ResourceType.NODE_CLAIM,
                                    claim.name(),
                                    ApiWrite.PatchKind.MERGE,
                                    ApiWrite.Subresource.STATUS,
                                    Tree.of("status", status).mapping()));
        }
    }
}
