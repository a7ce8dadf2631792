package dev.millwright.testing.e2e.aws;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.KubeApi;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.providers.aws.nodeclass.Ec2NodeClass;
import dev.millwright.providers.aws.removal.Leftover;
import dev.millwright.providers.aws.removal.Removal;
import dev.millwright.providers.aws.removal.Report;
import dev.millwright.providers.aws.sdk.SdkClients;
import dev.millwright.testing.kit.aws.ApiFault;
import dev.millwright.testing.kit.aws.AwsEndpoint;
import dev.millwright.testing.kit.aws.AwsEndpointExtension;
import dev.millwright.testing.kit.cluster.Rig;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Predicate;

/// A cluster's removal, step by step on a clock that stands still: against AWS's protocols and an
/// API server in memory, with no controller but the one a test plays.
@ExtendWith(AwsEndpointExtension.class)
final class RemovalIT {

    private static final String CLUSTER = AwsEndpoint.CLUSTER;
    private static final Removal.Limits LIMITS =
            new Removal.Limits(Duration.ofSeconds(40), Duration.ofSeconds(150));

    private final AwsEndpoint aws = AwsEndpoint.shared();
    private final SdkClients clients = aws.sdkClients();
    private final Estate ours = new Estate(clients, CLUSTER);
    private final Estate others = new Estate(clients, "other-cluster");
    private final Rig rig = new Rig(Ec2NodeClass.TYPE);
    private final List<String> notes = new ArrayList<>();
    private Runnable meanwhile = () -> {};

    @AfterEach
    void close() {
        clients.close();
    }

    private Removal removal(@Nullable KubeApi api) {
        return new Removal(
                clients.ec2(),
                clients.iam(),
                api,
                CLUSTER,
                AwsEndpoint.REGION,
                new Removal.Setting(
                        rig.clock(),
                        pause -> {
                            rig.clock().advance(pause);
                            aws.advance(pause);
                            meanwhile.run();
                        },
                        notes::add));
    }

    private Report run(@Nullable KubeApi api) {
        try {
            return removal(api).run(LIMITS);
        } catch (InterruptedException failure) {
            throw new AssertionError(failure);
        }
    }

    private static List<String> titles(List<Leftover> things) {
        return things.stream().map(Leftover::title).toList();
    }

    /// A pool, its class, and a claim and a node for the instance, held by finalizers as always.
    private void cluster(String instanceId) {
        rig.apply(
                """
                apiVersion: karpenter.k8s.aws/v1
                kind: EC2NodeClass
                metadata: {name: default, finalizers: [karpenter.k8s.aws/termination]}
                spec: {role: test-role}
                ---
                apiVersion: karpenter.sh/v1
                kind: NodePool
                metadata: {name: default}
                spec:
                  template:
                    spec:
                      requirements: []
                      nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}
                ---
                apiVersion: karpenter.sh/v1
                kind: NodeClaim
                metadata:
                  name: default-1
                  labels: {karpenter.sh/nodepool: default}
                  finalizers: [karpenter.sh/termination]
                spec:
                  nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}
                status: {providerID: "aws:///us-east-1a/%s", nodeName: node-1}
                ---
                apiVersion: v1
                kind: Node
                metadata:
                  name: node-1
                  labels: {karpenter.sh/nodepool: default, karpenter.k8s.aws/ec2nodeclass: default}
                  finalizers: [karpenter.sh/termination]
                spec: {providerID: "aws:///us-east-1a/%s"}
                """
                        .formatted(instanceId, instanceId));
    }

    /// A lease that somebody renews whenever time passes.
    private void aControllerAtWork() {
        meanwhile =
                () ->
                        rig.api()
                                .put(
                                        ResourceType.LEASE,
                                        Tree.of(
                                                        "metadata",
                                                        Tree.of("name", "karpenter-leader-election")
                                                                .put("namespace", "kube-system"))
                                                .mapping());
        meanwhile.run();
    }

    @Test
    void withoutAControllerAllGoesAndNothingOfOthers() {
        var mine = ours.build();
        cluster(mine);
        var theirs = others.build();
        var group = new TreeMap<String, String>();
        group.put("kubernetes.io/cluster/" + CLUSTER, "owned");
        group.put("eks:nodegroup-name", "system");
        var ofNodeGroup = others.launch(group);

        var report = run(rig.api());

        assertThat(report.left()).isEmpty();
        assertThat(titles(report.removed()))
                .containsExactly(
                        "EC2NodeClass default",
                        "Node node-1",
                        "NodeClaim default-1",
                        "NodePool default",
                        "instance " + mine,
                        "instance profile " + ours.profile(),
                        "launch template " + ours.template());
        assertThat(report.forced()).containsExactly(mine);
        assertThat(report.released())
                .containsExactly("EC2NodeClass default", "Node node-1", "NodeClaim default-1");
        assertThat(notes).anyMatch(note -> note.contains("no controller is at work"));
        assertThat(Estate.running(aws)).containsExactlyInAnyOrder(theirs, ofNodeGroup);
        assertThat(others.templates()).containsExactly(others.template());
        assertThat(others.profiles()).containsExactly(others.profile());

        var again = run(rig.api());
        assertThat(again.left()).isEmpty();
        assertThat(again.removed()).isEmpty();
    }

    @Test
    void aProfileOfTheSameClusterNameInAnotherRegionStays() {
        ours.build("eu-central-1");

        assertThat(run(null).left()).isEmpty();
        assertThat(ours.profiles()).containsExactly(ours.profile());
    }

    @Test
    void whatIsThereIsListedAndLeftAlone() throws IOException {
        var mine = ours.build();
        cluster(mine);

        assertThat(titles(removal(rig.api()).survey()))
                .containsExactly(
                        "NodePool default",
                        "NodeClaim default-1",
                        "Node node-1",
                        "EC2NodeClass default",
                        "instance " + mine,
                        "launch template " + ours.template(),
                        "instance profile " + ours.profile());
        assertThat(rig.api().writes()).isEmpty();
        assertThat(Estate.running(aws)).containsExactly(mine);
    }

    @Test
    void podsAreWaitedForWhileAControllerDrainsAndThenNoLonger() {
        var mine = ours.build();
        cluster(mine);
        rig.apply(
                """
                apiVersion: v1
                kind: Pod
                metadata: {name: db-0, namespace: shop, labels: {app: db}}
                spec: {nodeName: node-1, containers: [{name: db}]}
                status: {phase: Running}
                ---
                apiVersion: policy/v1
                kind: PodDisruptionBudget
                metadata: {name: db, namespace: shop}
                spec: {maxUnavailable: 0, selector: {matchLabels: {app: db}}}
                status: {disruptionsAllowed: 0}
                """);
        aControllerAtWork();
        var begun = rig.clock().instant();
        var renew = meanwhile;
        meanwhile =
                () -> {
                    renew.run();
                    var isEarly = rig.clock().instant().isBefore(begun.plus(LIMITS.drain()));
                    assertThat(isEarly && Estate.running(aws).isEmpty()).isFalse();
                };

        var report = run(rig.api());

        assertThat(report.left()).isEmpty();
        assertThat(report.forced()).containsExactly(mine);
        assertThat(notes)
                .anyMatch(
                        note ->
                                note.contains(
                                        "pod shop/db-0 is kept by PodDisruptionBudget shop/db"))
                .anyMatch(note -> note.contains("the time for drains is over"));
    }

    @Test
    void withoutAnApiServerTheTagsAreAllThatIsNeeded() {
        ours.build();

        assertThat(run(null).left()).isEmpty();
        assertThat(Estate.running(aws)).isEmpty();
        assertThat(ours.templates()).isEmpty();
        assertThat(ours.profiles()).isEmpty();
    }

    /// A server that no longer serves some resources, or fails.
    private record Broken(KubeApi api, Predicate<ResourceType> isGone, ListAnswer answer)
            implements KubeApi {
        @Override
        public ApiAnswer read(ResourceType type, ObjectName name) {
            return api.read(type, name);
        }

        @Override
        public ApiAnswer write(ApiWrite write) {
            return api.write(write);
        }

        @Override
        public ListAnswer list(ResourceType type, ListQuery query) {
            return isGone.test(type) ? answer : api.list(type, query);
        }

        @Override
        public WatchEnd watch(ResourceType type, WatchQuery query, WatchSink sink) {
            return api.watch(type, query, sink);
        }
    }

    @Test
    void definitionsThatAreGoneHoldNothingUp() {
        cluster(ours.build());
        var api =
                new Broken(
                        rig.api(),
                        type -> type.group().startsWith("karpenter"),
                        new KubeApi.ListAnswer.NotServed());

        var report = run(api);

        assertThat(report.left()).isEmpty();
        assertThat(report.released()).containsExactly("Node node-1");
        assertThat(Estate.running(aws)).isEmpty();
    }

    @Test
    void whatTheServerDoesNotTellCountsAsLeft() {
        ours.build();
        var api =
                new Broken(
                        rig.api(),
                        ResourceType.NODE::equals,
                        new KubeApi.ListAnswer.Failed("no answer: refused"));

        var report = run(api);

        assertThat(titles(report.left())).containsExactly("answer of the API server");
        assertThat(Estate.running(aws)).isEmpty();
    }

    @Test
    void anInstanceThatEc2DoesNotEndIsLeftWithTheReasonAndKeepsItsClaim() {
        var mine = ours.build();
        cluster(mine);
        aws.fail(
                ApiFault.refuse("TerminateInstances", "OperationNotPermitted", 400)
                        .saying("it may not be terminated")
                        .always());

        var report = run(rig.api());

        assertThat(report.left())
                .extracting(Leftover::title)
                .contains("instance " + mine, "NodeClaim default-1", "Node node-1");
        assertThat(report.left()).anyMatch(each -> each.why().contains("may not be terminated"));
        assertThat(report.released()).isEmpty();
        assertThat(ours.profiles()).isNotEmpty();
    }

    @Test
    void aClaimOfAnInstanceThatIsNotTaggedAsOursKeepsItsFinalizer() {
        var foreign = others.build();
        cluster(foreign);

        var report = run(rig.api());

        assertThat(titles(report.left())).contains("NodeClaim default-1", "Node node-1");
        assertThat(Estate.running(aws)).containsExactly(foreign);
    }

    @Test
    void theFinalizerOfSomebodyElseStays() {
        cluster(ours.build());
        rig.apply(
                """
                apiVersion: karpenter.sh/v1
                kind: NodeClaim
                metadata:
                  name: default-1
                  finalizers: [karpenter.sh/termination, example.com/audit]
                spec:
                  nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}
                """);

        var report = run(rig.api());

        assertThat(report.left())
                .anyMatch(each -> each.words().contains("waits for example.com/audit"));
    }

    @Test
    void instancesAreWaitedForUntilTheyAreGone() {
        aws.terminatingFor(Duration.ofSeconds(40));
        ours.build();
        var begun = rig.clock().instant();

        assertThat(run(null).left()).isEmpty();
        assertThat(Duration.between(begun, rig.clock().instant()))
                .isGreaterThan(Duration.ofSeconds(40));
        assertThat(ours.profiles()).isEmpty();
    }

    @Test
    void whatFailsOnceIsTriedAgain() {
        cluster(ours.build());
        aws.fail(
                ApiFault.refuse("DescribeInstances", "InternalError", 500).times(9),
                ApiFault.refuse("TerminateInstances", "InternalError", 500).times(3),
                ApiFault.hangUpAfter("DeleteLaunchTemplate"),
                ApiFault.refuse("DeleteInstanceProfile", "ServiceFailure", 500).times(3));

        assertThat(run(rig.api()).left()).isEmpty();
    }

    @Test
    void poolsOfAnotherProviderAreNotTouched() {
        rig.apply(
                """
                apiVersion: karpenter.sh/v1
                kind: NodePool
                metadata: {name: simulated}
                spec:
                  template:
                    spec:
                      requirements: []
                      nodeClassRef: {group: karpenter.kwok.sh, kind: KWOKNodeClass, name: default}
                """);

        assertThat(run(rig.api()).left()).isEmpty();
        assertThat(rig.api().writes()).isEmpty();
    }
}
