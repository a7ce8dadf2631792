package dev.millwright.controllers.capacitybuffer;

import static dev.millwright.controllers.capacitybuffer.BufferManifests.BY_DEPLOYMENT;
import static dev.millwright.controllers.capacitybuffer.BufferManifests.BY_TEMPLATE;
import static dev.millwright.controllers.capacitybuffer.BufferManifests.SMALL;
import static dev.millwright.controllers.capacitybuffer.BufferManifests.SPARE;
import static dev.millwright.controllers.capacitybuffer.BufferManifests.buffer;
import static dev.millwright.controllers.capacitybuffer.BufferManifests.template;
import static dev.millwright.controllers.capacitybuffer.BufferManifests.workload;
import static dev.millwright.testing.kit.cluster.PoolManifests.called;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.object.Condition.Status;
import dev.millwright.runtime.step.Controller;
import dev.millwright.runtime.step.Step.Ending;
import dev.millwright.testing.kit.step.StepRig;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.List;

/// A buffer finds what it refers to, says so, and has a pass provide for it.
final class BufferControllerTest {

    private final BufferManifests cluster = new BufferManifests();

    private Ending run(String... manifests) {
        for (var manifest : manifests) {
            cluster.rig.apply(manifest);
        }
        return cluster.run();
    }

    @Test
    @Tag("K-CB-1")
    void aBufferFindsItsTemplate() {
        var ending = run(template("web", SMALL), buffer("spare", BY_TEMPLATE + ", replicas: 3"));

        assertThat(ending).isEqualTo(new Ending.Again(Duration.ofSeconds(30)));
        assertThat(cluster.ready().status()).isEqualTo(Status.TRUE);
        assertThat(cluster.ready().reason()).isEqualTo("Resolved");
        assertThat(cluster.spare().status().podTemplate()).isEqualTo("web");
        assertThat(cluster.spare().status().podTemplateGeneration()).isEqualTo(1);
        assertThat(cluster.spare().status().replicas()).isEqualTo(3);
        assertThat(cluster.spare().status().provisioningStrategy())
                .isEqualTo("buffer.x-k8s.io/active-capacity");
    }

    @Test
    @Tag("K-CB-2")
    void aBufferWithoutItsTemplateSaysSo() {
        var ending = run(buffer("spare", BY_TEMPLATE + ", replicas: 3"));

        assertThat(ending).isEqualTo(new Ending.Again(Duration.ofSeconds(30)));
        assertThat(cluster.ready().status()).isEqualTo(Status.FALSE);
        assertThat(cluster.ready().reason()).isEqualTo("PodTemplateNotFound");
        assertThat(cluster.ready().message()).contains("web");
        assertThat(cluster.rig.eventReasons()).containsExactly("PodTemplateNotFound");
    }

    @Test
    @Tag("K-CB-3")
    void aBufferTakesItsShareOfADeployment() {
        run(
                workload("Deployment", "web", "replicas: 10"),
                buffer("spare", BY_DEPLOYMENT + ", percentage: 25"));

        assertThat(cluster.ready().reason()).isEqualTo("Resolved");
        assertThat(cluster.spare().status().replicas()).isEqualTo(3);
        assertThat(cluster.spare().status().podTemplate()).isNull();
        assertThat(cluster.spare().status().podTemplateGeneration()).isNull();
    }

    @Test
    @Tag("K-CB-4")
    void aBufferWithoutItsWorkloadSaysSo() {
        run(buffer("spare", BY_DEPLOYMENT + ", percentage: 25"));

        assertThat(cluster.ready().status()).isEqualTo(Status.FALSE);
        assertThat(cluster.ready().reason()).isEqualTo("ScalableRefNotFound");
    }

    @ParameterizedTest
    @ValueSource(strings = {"StatefulSet", "ReplicaSet"})
    @Tag("K-CB-5")
    void aBufferTakesItsShareOfOtherWorkloads(String kind) {
        run(
                workload(kind, "web", "replicas: 4"),
                buffer(
                        "spare",
                        "scalableRef: {kind: %s, name: web}, percentage: 50".formatted(kind)));

        assertThat(cluster.spare().status().replicas()).isEqualTo(2);
    }

    @Test
    @Tag("K-CB-6")
    void aKindThatCannotHaveABufferIsAnError() {
        var ending =
                run(buffer("spare", "scalableRef: {apiGroup: apps, kind: DaemonSet, name: web}"));

        assertThat(ending).isInstanceOf(Ending.Failed.class);
        assertThat(cluster.ready().reason()).isEqualTo("ResolutionFailed");
        assertThat(cluster.ready().message()).contains("DaemonSet");
    }

    @Test
    @Tag("K-CB-7")
    void aGroupThatCannotHaveABufferIsAnError() {
        var ending =
                run(
                        buffer(
                                "spare",
                                "scalableRef: {apiGroup: example.com, kind: Deployment, name: web}"));

        assertThat(ending).isInstanceOf(Ending.Failed.class);
        assertThat(cluster.ready().reason()).isEqualTo("ResolutionFailed");
        assertThat(cluster.ready().message()).contains("example.com");
    }

    @Test
    @Tag("K-CB-8")
    void aWorkloadThatDoesNotSayHowManyWantsOne() {
        run(
                workload("Deployment", "web", "paused: false"),
                buffer("spare", BY_DEPLOYMENT + ", percentage: 200"));

        assertThat(cluster.spare().status().replicas()).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    template   | replicas: 7                                    | 7
                    template   | replicas: 7, limits: {cpu: 2}                  | 4
                    template   | replicas: 3, limits: {cpu: 10}                 | 3
                    template   | limits: {cpu: 3}                               | 6
                    deployment | percentage: 50                                 | 5
                    deployment | replicas: 8, percentage: 50                    | 8
                    deployment | replicas: 2, percentage: 50                    | 5
                    deployment | replicas: 2, percentage: 90, limits: {cpu: 3}  | 6
                    deployment | percentage: 1                                  | 1
                    """)
    @Tag("K-CB-9")
    @Tag("K-CB-10")
    @Tag("K-CB-11")
    @Tag("K-CB-12")
    @Tag("K-CB-13")
    @Tag("K-CB-14")
    @Tag("K-CB-15")
    @Tag("K-CB-16")
    @Tag("K-CB-17")
    void aBufferIsAsLargeAsNumberShareAndLimitsSay(String reference, String size, int replicas) {
        run(
                template("web", SMALL),
                workload("Deployment", "web", "replicas: 10"),
                buffer(
                        "spare",
                        (reference.equals("template") ? BY_TEMPLATE : BY_DEPLOYMENT)
                                + ", "
                                + size));

        assertThat(cluster.spare().status().replicas()).isEqualTo(replicas);
    }

    @Test
    @Tag("K-CB-18")
    void aChangedTemplateIsLookedUpAgain() {
        run(template("web", SMALL), buffer("spare", BY_TEMPLATE + ", limits: {cpu: 2}"));
        assertThat(cluster.spare().status().replicas()).isEqualTo(4);

        run(template("web", "containers: [{name: main, resources: {requests: {cpu: 1}}}]", 2));
        assertThat(cluster.spare().status().podTemplateGeneration()).isEqualTo(2);
        assertThat(cluster.spare().status().replicas()).isEqualTo(2);
    }

    @Test
    @Tag("K-CB-19")
    void aBufferThatIsReadyCallsThePass() {
        run(template("web", SMALL), buffer("spare", BY_TEMPLATE + ", replicas: 3"));

        assertThat(cluster.triggers).containsExactly("uid-spare");
        assertThat(cluster.rig.rings())
                .containsExactly(new StepRig.Ring("provisioner", Controller.SINGLETON));
    }

    @Test
    @Tag("K-CB-20")
    void aBufferThatFailsCallsNobody() {
        run(buffer("spare", "scalableRef: {kind: Job, name: web}"));

        assertThat(cluster.triggers).isEmpty();
    }

    @Test
    @Tag("K-CB-21")
    void aReadyBufferHasItsPods() {
        run(template("web", SMALL), buffer("spare", BY_TEMPLATE + ", replicas: 3"));

        assertThat(Buffers.all(cluster.rig.view()))
                .singleElement()
                .satisfies(each -> assertThat(each.podCount()).isEqualTo(3));
    }

    @Test
    @Tag("K-CB-22")
    void aBufferThatLostItsTemplateHasNoPodsAndThePassIsTold() {
        run(template("web", SMALL), buffer("spare", BY_TEMPLATE + ", replicas: 3"));
        cluster.rig.api().vanish(ResourceType.POD_TEMPLATE, new ObjectName("default", "web"));
        cluster.run();

        assertThat(cluster.ready().status()).isEqualTo(Status.FALSE);
        assertThat(Buffers.all(cluster.rig.view()))
                .singleElement()
                .satisfies(each -> assertThat(each.podCount()).isZero());
        assertThat(cluster.triggers).hasSize(2);
    }

    @Test
    @Tag("K-CB-23")
    void aBufferThatIsGoneHasNoPodsAndThePassIsTold() {
        run(template("web", SMALL), buffer("spare", BY_TEMPLATE + ", replicas: 3"));
        cluster.rig.api().vanish(ResourceType.CAPACITY_BUFFER, SPARE);

        assertThat(cluster.run()).isEqualTo(new Ending.Done());
        assertThat(Buffers.all(cluster.rig.view())).isEmpty();
        assertThat(cluster.triggers).hasSize(2);
    }

    @Test
    @Tag("K-CB-24")
    void aBufferThatRefersToNothingSaysSoAndHasNoPods() {
        var ending = run(buffer("spare", "replicas: 3"));

        assertThat(ending).isEqualTo(new Ending.Again(Duration.ofSeconds(30)));
        assertThat(cluster.ready().reason()).isEqualTo("ResolutionFailed");
        assertThat(Buffers.all(cluster.rig.view()))
                .singleElement()
                .satisfies(each -> assertThat(each.podCount()).isZero());
    }

    // Who is called by what ---------------------------------------------------------------------

    private List<ObjectName> calledByTemplate(String name) {
        return called(
                cluster.rig, cluster.controller, () -> cluster.rig.apply(template(name, SMALL)));
    }

    @Test
    @Tag("K-CB-25")
    void aTemplateThatNobodyRefersToCallsNobody() {
        cluster.rig.apply(buffer("spare", BY_TEMPLATE));

        assertThat(calledByTemplate("other")).isEmpty();
    }

    @Test
    @Tag("K-CB-26")
    void aTemplateCallsItsBuffer() {
        cluster.rig.apply(buffer("spare", BY_TEMPLATE));

        assertThat(calledByTemplate("web")).containsExactly(SPARE);
    }

    @Test
    @Tag("K-CB-27")
    void aTemplateCallsAllItsBuffersOfItsNamespace() {
        cluster.rig
                .apply(buffer("a", BY_TEMPLATE))
                .apply(buffer("b", BY_TEMPLATE))
                .apply(buffer("c", BY_TEMPLATE).replace("namespace: default", "namespace: x"));

        assertThat(calledByTemplate("web"))
                .containsExactly(new ObjectName("default", "a"), new ObjectName("default", "b"));
    }

    @Test
    @Tag("K-CB-28")
    void aTemplateDoesNotCallBuffersOfWorkloads() {
        cluster.rig.apply(buffer("spare", BY_DEPLOYMENT));

        assertThat(calledByTemplate("web")).isEmpty();
    }

    @Test
    void aWorkloadCallsItsBuffersWhenItChangesAndNotWhenItReports() {
        cluster.rig
                .apply(buffer("spare", BY_DEPLOYMENT))
                .apply(buffer("other", "scalableRef: {kind: StatefulSet, name: web}"));
        var web = workload("Deployment", "web", "replicas: 1");

        assertThat(called(cluster.rig, cluster.controller, () -> cluster.rig.apply(web)))
                .containsExactly(SPARE);
        assertThat(called(cluster.rig, cluster.controller, () -> cluster.rig.apply(web))).isEmpty();
    }

    @Test
    void nothingIsWrittenTwice() {
        run(template("web", SMALL), buffer("spare", BY_TEMPLATE + ", replicas: 3"));
        cluster.rig.api().forgetWrites();
        cluster.run();

        assertThat(cluster.rig.api().writes()).isEmpty();
    }

    @Test
    void aConflictIsTriedAgainBeforeThePassIsCalled() {
        cluster.rig
                .api()
                .nextAnswer(new ApiAnswer.Refused(409, "Conflict", "somebody was quicker"));

        assertThat(run(template("web", SMALL), buffer("spare", BY_TEMPLATE + ", replicas: 3")))
                .isEqualTo(new Ending.Retry());
        assertThat(cluster.triggers).isEmpty();
    }
}
