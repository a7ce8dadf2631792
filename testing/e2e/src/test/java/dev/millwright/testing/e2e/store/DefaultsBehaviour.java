package dev.millwright.testing.e2e.store;

import static dev.millwright.testing.e2e.store.OnServer.done;
import static dev.millwright.testing.e2e.store.OnServer.element;
import static dev.millwright.testing.e2e.store.OnServer.meta;
import static dev.millwright.testing.e2e.store.OnServer.refused;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.tree.Trees;

import org.junit.jupiter.api.Test;

import java.util.List;

/// What the server fills in.
interface DefaultsBehaviour extends OnServer {

    ResourceType JOB = new ResourceType("batch", "v1", "jobs", "Job", true);
    ResourceType PRIORITY_CLASS =
            new ResourceType("scheduling.k8s.io", "v1", "priorityclasses", "PriorityClass", false);

    @Test
    default void aPodIsFilledIn() {
        var spec = Trees.mapping(create(ResourceType.POD, pod("a")), "spec");
        assertThat(spec.text("restartPolicy")).isEqualTo("Always");
        assertThat(spec.text("dnsPolicy")).isEqualTo("ClusterFirst");
        assertThat(spec.text("schedulerName")).isEqualTo("default-scheduler");
        assertThat(spec.text("serviceAccountName")).isEqualTo("default");
        assertThat(spec.text("preemptionPolicy")).isEqualTo("PreemptLowerPriority");
        assertThat(Trees.number(spec, "priority")).isEqualTo(0);
        assertThat(Trees.number(spec, "terminationGracePeriodSeconds")).isEqualTo(30);
        assertThat(Trees.isTrue(spec, "enableServiceLinks")).isTrue();
        assertThat(spec.fields().get("securityContext")).isEqualTo(Tree.of().mapping());
        var container = element(Trees.list(spec, "containers"), "name", "c");
        assertThat(container).isNotNull();
        assertThat(container.text("imagePullPolicy")).isEqualTo("IfNotPresent");
        assertThat(container.text("terminationMessagePolicy")).isEqualTo("File");
        assertThat(container.fields().get("resources")).isEqualTo(Tree.of().mapping());
    }

    @Test
    default void aPodLeavesALostNodeAfterFiveMinutes() {
        var made = create(ResourceType.POD, pod("a"));
        assertThat(Trees.list(made, "spec", "tolerations"))
                .containsExactlyInAnyOrder(
                        toleration("not-ready", 300), toleration("unreachable", 300));
    }

    @Test
    default void aPodMaySayHowLongItStays() {
        var spec =
                podSpec()
                        .putList(
                                "tolerations",
                                List.of(
                                        toleration("not-ready", 7),
                                        Tree.of("operator", "Exists")
                                                .put("effect", "NoSchedule")
                                                .mapping()));
        var made = create(ResourceType.POD, pod("a").put("spec", spec));
        assertThat(Trees.list(made, "spec", "tolerations"))
                .hasSize(3)
                .contains(toleration("not-ready", 7), toleration("unreachable", 300));
        var all = Tree.of("operator", "Exists").mapping();
        var calm =
                create(
                        ResourceType.POD,
                        pod("b").put("spec", podSpec().putList("tolerations", List.of(all))));
        assertThat(Trees.list(calm, "spec", "tolerations")).containsExactly(all);
    }

    private static Value.Mapping toleration(String taint, int seconds) {
        return Tree.of("key", "node.kubernetes.io/" + taint)
                .put("operator", "Exists")
                .put("effect", "NoExecute")
                .put("tolerationSeconds", seconds)
                .mapping();
    }

    @Test
    default void aLimitIsARequestToo() {
        var resources =
                Tree.of("limits", Tree.of("cpu", "2").put("memory", "1Gi"))
                        .put("requests", Tree.of("cpu", "1"));
        var container =
                Tree.of("name", "c").put("image", "i").put("resources", resources).mapping();
        var made =
                create(
                        ResourceType.POD,
                        pod("a").put("spec", Tree.of().putList("containers", List.of(container))));
        var filled = element(Trees.list(made, "spec", "containers"), "name", "c");
        assertThat(filled).isNotNull();
        assertThat(Trees.mapping(filled, "resources", "requests"))
                .isEqualTo(Tree.of("cpu", "1").put("memory", "1Gi").mapping());
        assertThat(filled.text("imagePullPolicy")).isEqualTo("Always");
        assertThat(Trees.text(made, "status", "qosClass")).isEqualTo("Burstable");
    }

    @Test
    default void aPriorityIsThatOfItsClass() {
        var name = own("high").name();
        create(PRIORITY_CLASS, meta(Tree.of("name", name)).put("value", 77));
        var made =
                server().eventually(
                                "the class is known",
                                () ->
                                        tryCreate(
                                                ResourceType.POD,
                                                pod("a").put(
                                                                "spec",
                                                                podSpec()
                                                                        .put(
                                                                                "priorityClassName",
                                                                                name))),
                                answer -> answer.isDone());
        assertThat(Trees.number(done(made), "spec", "priority")).isEqualTo(77);
        refused(
                tryCreate(
                        ResourceType.POD,
                        pod("b").put("spec", podSpec().put("priorityClassName", "none"))),
                403,
                "Forbidden");
        refused(
                tryCreate(ResourceType.POD, pod("c").put("spec", podSpec().put("priority", 5))),
                403,
                "Forbidden");
    }

    @Test
    default void aDeploymentIsFilledIn() {
        var spec = Trees.mapping(create(ResourceType.DEPLOYMENT, deployment("a")), "spec");
        assertThat(Trees.number(spec, "replicas")).isEqualTo(1);
        assertThat(Trees.number(spec, "revisionHistoryLimit")).isEqualTo(10);
        assertThat(Trees.number(spec, "progressDeadlineSeconds")).isEqualTo(600);
        assertThat(Trees.mapping(spec, "strategy"))
                .isEqualTo(
                        Tree.of("type", "RollingUpdate")
                                .put(
                                        "rollingUpdate",
                                        Tree.of("maxUnavailable", "25%").put("maxSurge", "25%"))
                                .mapping());
        var template = Trees.mapping(spec, "template", "spec");
        assertThat(template.text("restartPolicy")).isEqualTo("Always");
        assertThat(Trees.number(template, "terminationGracePeriodSeconds")).isEqualTo(30);
        assertThat(Trees.list(template, "tolerations")).isEmpty();
        assertThat(template.fields().get("enableServiceLinks")).isNull();
    }

    @Test
    default void otherWorkloadsAreFilledInToo() {
        var set = create(ResourceType.STATEFUL_SET, deployment("a"));
        assertThat(Trees.text(set, "spec", "podManagementPolicy")).isEqualTo("OrderedReady");
        assertThat(Trees.number(set, "spec", "updateStrategy", "rollingUpdate", "partition"))
                .isEqualTo(0);
        assertThat(Trees.text(set, "spec", "persistentVolumeClaimRetentionPolicy", "whenDeleted"))
                .isEqualTo("Retain");
        var daemons = create(ResourceType.DAEMON_SET, deployment("a"));
        assertThat(
                        Trees.number(
                                daemons,
                                "spec",
                                "updateStrategy",
                                "rollingUpdate",
                                "maxUnavailable"))
                .isEqualTo(1);
        assertThat(
                        Trees.number(
                                create(ResourceType.REPLICA_SET, deployment("a")),
                                "spec",
                                "replicas"))
                .isEqualTo(1);
    }

    @Test
    default void aJobChoosesItsPodsByItsUid() {
        var template = Tree.of("spec", podSpec().put("restartPolicy", "Never"));
        var job =
                create(JOB, meta(Tree.of("name", "a")).put("spec", Tree.of("template", template)));
        assertThat(Trees.number(job, "spec", "completions")).isEqualTo(1);
        assertThat(Trees.number(job, "spec", "parallelism")).isEqualTo(1);
        assertThat(Trees.number(job, "spec", "backoffLimit")).isEqualTo(6);
        assertThat(Trees.text(job, "spec", "completionMode")).isEqualTo("NonIndexed");
        var uid = OnServer.uid(job);
        assertThat(Trees.mapping(job, "spec", "selector", "matchLabels"))
                .isEqualTo(Tree.of("batch.kubernetes.io/controller-uid", uid).mapping());
        assertThat(Trees.mapping(job, "spec", "template", "metadata", "labels"))
                .isEqualTo(
                        Tree.of("batch.kubernetes.io/controller-uid", uid)
                                .put("batch.kubernetes.io/job-name", "a")
                                .put("controller-uid", uid)
                                .put("job-name", "a")
                                .mapping());
    }

    @Test
    default void aNewNodeTakesNoPodsYet() {
        var made = create(ResourceType.NODE, node("a"));
        assertThat(Trees.list(made, "spec", "taints"))
                .containsExactly(
                        Tree.of("key", "node.kubernetes.io/not-ready")
                                .put("effect", "NoSchedule")
                                .mapping());
    }

    @Test
    default void storageIsFilledIn() {
        var name = own("fast").name();
        var storageClass =
                create(
                        ResourceType.STORAGE_CLASS,
                        meta(Tree.of("name", name)).put("provisioner", "example.test/disks"));
        assertThat(storageClass.text("reclaimPolicy")).isEqualTo("Delete");
        assertThat(storageClass.text("volumeBindingMode")).isEqualTo("Immediate");
        var claim =
                create(
                        ResourceType.PERSISTENT_VOLUME_CLAIM,
                        meta(Tree.of("name", "a"))
                                .put(
                                        "spec",
                                        Tree.of("storageClassName", name)
                                                .putTextList(
                                                        "accessModes", List.of("ReadWriteOnce"))
                                                .put(
                                                        "resources",
                                                        Tree.of(
                                                                "requests",
                                                                Tree.of("storage", "1Gi")))));
        assertThat(Trees.text(claim, "spec", "volumeMode")).isEqualTo("Filesystem");
        assertThat(Trees.text(claim, "status", "phase")).isEqualTo("Pending");
    }

    @Test
    default void aNodePoolIsFilledInByItsDefinition() {
        var made = create(ResourceType.NODE_POOL, nodePool("a"));
        assertThat(Trees.text(made, "spec", "template", "spec", "expireAfter")).isEqualTo("720h");
        var disruption = Trees.mapping(made, "spec", "disruption");
        assertThat(disruption.text("consolidateAfter")).isEqualTo("0s");
        assertThat(disruption.text("consolidationPolicy")).isEqualTo("WhenEmptyOrUnderutilized");
        assertThat(Trees.list(disruption, "budgets"))
                .containsExactly(Tree.of("nodes", "10%").mapping());

        var never = Tree.of("spec", Tree.of("disruption", Tree.of().putNothing("budgets")));
        var again = done(merge(ResourceType.NODE_POOL, "a", never));
        assertThat(Trees.list(again, "spec", "disruption", "budgets")).hasSize(1);
    }

    @Test
    default void aNodeClassIsReadyByItsDefinition() {
        create(NODE_CLASS, meta(Tree.of("name", own("a").name())));
        var read = read(NODE_CLASS, "a");
        var ready = element(Trees.list(read, "status", "conditions"), "type", "Ready");
        assertThat(ready).isNotNull();
        assertThat(ready.text("status")).isEqualTo("True");
    }
}
