package dev.millwright.cli.migrate.plan;

import dev.millwright.cli.migrate.Trees;
import dev.millwright.cli.migrate.plan.MigrationPlan.Finding;
import dev.millwright.cli.migrate.plan.MigrationPlan.Step;
import dev.millwright.kube.document.Value;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;

/// From the Cluster Autoscaler: its groups stay until our nodes have taken their pods.
public final class AutoscalerPlan {

    private static final String SAFE_TO_EVICT = "cluster-autoscaler.kubernetes.io/safe-to-evict";
    private static final String NO_SCALE_DOWN =
            "cluster-autoscaler.kubernetes.io/scale-down-disabled";

    /// How long a node was unneeded before it went, if nobody said.
    private static final String UNNEEDED_DEFAULT = "10m";

    private static final String GROUPS = "--nodes";

    private final ClusterFacts facts;
    private final Value.@Nullable Mapping deployment;
    private final String namespace;
    private final String name;
    private final List<NodeGroup> groups;
    private final SequencedMap<String, String> flags = new TreeMap<>();
    private final List<String> named = new ArrayList<>();
    private final List<Finding> findings = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();

    private AutoscalerPlan(ClusterFacts facts) {
        this.facts = facts;
        this.deployment = facts.deployment("cluster-autoscaler");
        this.namespace = ClusterFacts.namespace(deployment, "kube-system");
        this.name = deployment == null ? "cluster-autoscaler" : Trees.name(deployment);
        this.groups = NodeGroup.of(facts);
    }

    public static MigrationPlan of(ClusterFacts facts) {
        var plan = new AutoscalerPlan(facts);
        plan.readFlags();
        plan.find();
        plan.judgeFlags();
        var after = plan.flags.getOrDefault("--scale-down-unneeded-time", UNNEEDED_DEFAULT);
        return new MigrationPlan(
                "cluster-autoscaler",
                plan.findings,
                plan.steps(),
                plan.groups.stream().map(group -> group.pool(after)).toList(),
                plan.warnings);
    }

    private void readFlags() {
        var running = deployment;
        if (running == null) {
            return;
        }
        for (var word : ClusterFacts.arguments(running)) {
            var at = word.indexOf('=');
            if (!word.startsWith("--")) {
                continue;
            }
            var flag = at < 0 ? word : word.substring(0, at);
            var value = at < 0 ? "true" : word.substring(at + 1);
            if (flag.equals(GROUPS)) {
                named.add(value);
            } else {
                flags.put(flag, value);
            }
        }
    }

    private void find() {
        var running = deployment;
        findings.add(
                running == null
                        ? new Finding("cluster-autoscaler", false, "no Deployment of it was found")
                        : new Finding(
                                "cluster-autoscaler",
                                true,
                                "%s/%s, %s"
                                        .formatted(namespace, name, ClusterFacts.image(running))));
        flags.forEach((flag, value) -> findings.add(new Finding(flag, true, value)));
        named.forEach(group -> findings.add(new Finding(GROUPS, true, group)));
        for (var group : groups) {
            findings.add(new Finding("node group " + group.name(), true, group.words()));
        }
        if (groups.isEmpty()) {
            findings.add(
                    new Finding(
                            "node groups",
                            false,
                            "no node has a label of a group; write NodePools by hand"));
        }
        var held =
                facts.ofKind("Pod")
                        .filter(
                                pod ->
                                        Trees.text(pod, "metadata", "annotations", SAFE_TO_EVICT)
                                                .equals("false"))
                        .count();
        findings.add(
                new Finding(
                        "pods not safe to evict",
                        held == 0,
                        held == 0 ? "none" : "%d have %s=false".formatted(held, SAFE_TO_EVICT)));
        if (held > 0) {
            warnings.add(
                    "%s=false is not known here; write karpenter.sh/do-not-disrupt: \"true\" into these pods' templates"
                            .formatted(SAFE_TO_EVICT));
        }
        facts.ofKind("Node")
                .filter(
                        node ->
                                !Trees.text(node, "metadata", "annotations", NO_SCALE_DOWN)
                                        .isEmpty())
                .forEach(
                        node ->
                                warnings.add(
                                        "Node %s has %s; its group is yours to keep"
                                                .formatted(Trees.name(node), NO_SCALE_DOWN)));
    }

    private void judgeFlags() {
        flags.forEach(
                (flag, value) -> {
                    switch (flag) {
                        case "--expander" ->
                                warnings.add(
                                        "%s=%s: the cheapest machine that fits is taken; order pools by spec.weight"
                                                .formatted(flag, value));
                        case "--scale-down-unneeded-time" ->
                                warnings.add(
                                        "%s=%s: became consolidateAfter of the drafts"
                                                .formatted(flag, value));
                        case "--scale-down-utilization-threshold" ->
                                warnings.add(
                                        "%s=%s: there is no threshold; a node goes when its pods fit elsewhere or on a cheaper one"
                                                .formatted(flag, value));
                        case "--balance-similar-node-groups" ->
                                warnings.add(
                                        "%s: spread pods by topologySpreadConstraints"
                                                .formatted(flag));
                        case "--skip-nodes-with-local-storage", "--skip-nodes-with-system-pods" ->
                                warnings.add(
                                        "%s=%s: such pods are moved; karpenter.sh/do-not-disrupt holds them"
                                                .formatted(flag, value));
                        case "--max-nodes-total", "--cores-total", "--memory-total" ->
                                warnings.add(
                                        "%s=%s: write spec.limits into the NodePools"
                                                .formatted(flag, value));
                        default -> {} // Told among what was found.
                    }
                });
    }

    private List<Step> steps() {
        var steps = new ArrayList<Step>();
        steps.add(
                new Step(
                        "Give the account what Millwright needs",
                        "a role for the controller, one for nodes, a queue, tags on subnets and security groups",
                        List.of(
                                "terraform apply (deploy/terraform/karpenter-infra)",
                                "millwright doctor"),
                        List.of("millwright doctor -o json"),
                        List.of("terraform destroy")));
        steps.add(
                new Step(
                        "Install the definitions and the controller on nodes of a group that stays",
                        "it must not run on nodes that it manages; without NodePools it does nothing",
                        List.of(
                                "helm upgrade --install karpenter-crd deploy/charts/millwright-crd -n kube-system",
                                "helm upgrade --install karpenter deploy/charts/millwright -n kube-system --set settings.clusterName=CLUSTER --set settings.interruptionQueue=QUEUE --set controller.image.repository=IMAGE"),
                        List.of("kubectl -n kube-system rollout status deployment karpenter"),
                        List.of("helm -n kube-system uninstall karpenter")));
        steps.add(
                new Step(
                        "Stop the Cluster Autoscaler",
                        "two that scale would undo each other's work; its groups keep their size",
                        List.of(
                                "kubectl -n %s scale deployment %s --replicas=0"
                                        .formatted(namespace, name)),
                        List.of("kubectl -n %s get deployment %s".formatted(namespace, name)),
                        List.of(
                                "kubectl -n %s scale deployment %s --replicas=1"
                                        .formatted(namespace, name))));
        steps.add(
                new Step(
                        "Create an EC2NodeClass and the NodePools",
                        "the drafts below launch what the groups have; widen them later",
                        List.of("kubectl apply -f nodeclass.yaml -f nodepools.yaml"),
                        List.of("kubectl get ec2nodeclasses,nodepools"),
                        List.of("kubectl delete -f nodepools.yaml -f nodeclass.yaml")));
        for (var group : groups) {
            steps.add(drained(group));
        }
        steps.add(
                new Step(
                        "Remove the Cluster Autoscaler",
                        "a small group for the controller and other system pods stays, of fixed size",
                        List.of("kubectl -n %s delete deployment %s".formatted(namespace, name)),
                        List.of("kubectl get nodes -L karpenter.sh/nodepool"),
                        List.of("helm or kubectl apply, as it was installed")));
        return steps;
    }

    private Step drained(NodeGroup group) {
        var shrink =
                group.isManaged()
                        ? "aws eks update-nodegroup-config --cluster-name CLUSTER --nodegroup-name %s --scaling-config minSize=0,desiredSize=0"
                                .formatted(group.name())
                        : "aws autoscaling update-auto-scaling-group --auto-scaling-group-name ASG_OF_%s --min-size 0 --desired-capacity 0"
                                .formatted(group.name());
        return new Step(
                "Move the pods of node group " + group.name(),
                "drain heeds PodDisruptionBudgets; new nodes come as pods need them",
                List.of(
                        "kubectl cordon -l " + group.selector(),
                        "kubectl drain -l %s --ignore-daemonsets --delete-emptydir-data"
                                .formatted(group.selector()),
                        shrink),
                List.of("kubectl get pods -A --field-selector=status.phase=Pending"),
                List.of(
                        shrink.replace(
                                        "minSize=0,desiredSize=0",
                                        "minSize=%1$d,desiredSize=%1$d"
                                                .formatted(group.nodes().size()))
                                .replace(
                                        "--min-size 0 --desired-capacity 0",
                                        "--min-size %1$d --desired-capacity %1$d"
                                                .formatted(group.nodes().size())),
                        "kubectl uncordon -l " + group.selector()));
    }
}
