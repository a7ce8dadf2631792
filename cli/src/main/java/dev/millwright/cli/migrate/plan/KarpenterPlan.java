package dev.millwright.cli.migrate.plan;

import dev.millwright.cli.migrate.Trees;
import dev.millwright.cli.migrate.plan.MigrationPlan.Finding;
import dev.millwright.cli.migrate.plan.MigrationPlan.Step;
import dev.millwright.kube.document.Value;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/// From Karpenter of any age.
public final class KarpenterPlan {

    /// Which APIs a cluster's objects are of.
    private enum Age {
        ALPHA,
        BETA,
        CURRENT
    }

    private static final Pattern VERSION = Pattern.compile(":v?([0-9]+)\\.([0-9]+)(\\.[0-9]+)?");

    private static final Set<String> OLD_WEBHOOKS =
            Set.of(
                    "defaulting.webhook.karpenter.k8s.aws",
                    "validation.webhook.karpenter.sh",
                    "validation.webhook.config.karpenter.sh",
                    "validation.webhook.karpenter.k8s.aws");

    private static final List<String> DEFINITIONS =
            List.of(
                    "nodepools.karpenter.sh",
                    "nodeclaims.karpenter.sh",
                    "ec2nodeclasses.karpenter.k8s.aws");

    private final ClusterFacts facts;
    private final Value.@Nullable Mapping deployment;
    private final String namespace;
    private final String name;
    private final Age age;
    private final List<Finding> findings = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();

    private KarpenterPlan(ClusterFacts facts) {
        this.facts = facts;
        this.deployment =
                facts.deployment("karpenter/controller", "/karpenter:", "karpenter/karpenter");
        this.namespace = ClusterFacts.namespace(deployment, "kube-system");
        this.name = deployment == null ? "karpenter" : Trees.name(deployment);
        this.age = age(facts);
    }

    public static MigrationPlan of(ClusterFacts facts) {
        var plan = new KarpenterPlan(facts);
        plan.find();
        return new MigrationPlan(
                "karpenter", plan.findings, plan.steps(), List.of(), plan.warnings);
    }

    private static Age age(ClusterFacts facts) {
        if (!facts.storedVersions("provisioners.karpenter.sh").isEmpty()
                && facts.ofKind("Provisioner").findAny().isPresent()) {
            return Age.ALPHA;
        }
        return DEFINITIONS.stream().anyMatch(each -> facts.storedVersions(each).contains("v1beta1"))
                ? Age.BETA
                : Age.CURRENT;
    }

    private void find() {
        var running = deployment;
        if (running == null) {
            findings.add(new Finding("karpenter", false, "no Deployment of Karpenter was found"));
        } else {
            var image = ClusterFacts.image(running);
            var matcher = VERSION.matcher(image);
            findings.add(
                    new Finding("karpenter", true, "%s/%s, %s".formatted(namespace, name, image)));
            if (matcher.find()) {
                warnings.addAll(
                        UpgradeNotes.since(
                                Integer.parseInt(matcher.group(1)),
                                Integer.parseInt(matcher.group(2))));
            } else {
                warnings.add(
                        "the version of Karpenter cannot be told from its image; read what changed since yours");
            }
        }
        for (var definition : DEFINITIONS) {
            var stored = facts.storedVersions(definition);
            findings.add(
                    new Finding(
                            definition,
                            stored.equals(Set.of("v1")) || (age == Age.ALPHA && stored.isEmpty()),
                            stored.isEmpty()
                                    ? "not there"
                                    : "stored as " + String.join(", ", stored)));
        }
        var webhooks = webhooks();
        findings.add(
                new Finding(
                        "webhooks",
                        webhooks.isEmpty(),
                        webhooks.isEmpty()
                                ? "none left of older versions"
                                : String.join(", ", webhooks)));
        var label = age == Age.ALPHA ? "karpenter.sh/provisioner-name" : "karpenter.sh/nodepool";
        findings.add(
                new Finding(
                        "nodes",
                        true,
                        "%d with the label %s".formatted(facts.nodes(label).size(), label)));
    }

    private List<String> webhooks() {
        return facts.objects().stream()
                .filter(
                        each ->
                                "ValidatingWebhookConfiguration".equals(each.text("kind"))
                                        || "MutatingWebhookConfiguration".equals(each.text("kind")))
                .filter(each -> OLD_WEBHOOKS.contains(Trees.name(each)))
                .map(
                        each ->
                                String.valueOf(each.text("kind")).toLowerCase(Locale.ROOT)
                                        + "/"
                                        + Trees.name(each))
                .sorted()
                .toList();
    }

    private List<Step> steps() {
        var steps = new ArrayList<Step>();
        steps.add(backup());
        steps.add(look());
        if (age == Age.CURRENT) {
            steps.add(
                    new Step(
                            "Freeze the cluster",
                            "no node goes by choice until you have looked",
                            List.of("millwright freeze --reason \"change of controller\""),
                            List.of(),
                            List.of("millwright unfreeze")));
        }
        var webhooks = webhooks();
        steps.add(stop());
        if (!webhooks.isEmpty()) {
            steps.add(
                    new Step(
                            "Delete webhooks of older versions",
                            "nobody answers them any more, and the API server would refuse writes",
                            webhooks.stream().map(each -> "kubectl delete " + each).toList(),
                            List.of(
                                    "kubectl get validatingwebhookconfigurations,mutatingwebhookconfigurations"),
                            List.of("kubectl apply -f karpenter-webhooks.yaml")));
        }
        steps.addAll(
                switch (age) {
                    case ALPHA -> List.of(definitions(), adopt(), install(""));
                    case BETA -> List.of(install(" --set webhook.enabled=true"), stored());
                    case CURRENT -> List.of(definitions(), install(""));
                });
        steps.add(
                new Step(
                        "Look at the nodes",
                        "a claim that is Drifted would be replaced",
                        List.of("kubectl get nodeclaims -o wide"),
                        List.of("millwright plan"),
                        List.of()));
        steps.add(
                new Step(
                        "Let nodes go again",
                        "consolidation and drift begin",
                        age == Age.ALPHA
                                ? List.of("millwright unfreeze --nodepool NAME")
                                : List.of("millwright unfreeze"),
                        List.of(
                                "kubectl get events -A --field-selector involvedObject.kind=NodeClaim"),
                        List.of("millwright freeze")));
        return steps;
    }

    private Step backup() {
        var kinds =
                switch (age) {
                    case ALPHA -> "provisioners,awsnodetemplates,machines";
                    case BETA, CURRENT -> "nodepools,ec2nodeclasses,nodeclaims";
                };
        return new Step(
                "Keep a copy of everything",
                "the way back of every later step reads it",
                List.of(
                        "kubectl get %s -o yaml > karpenter-objects.yaml".formatted(kinds),
                        "kubectl get validatingwebhookconfigurations,mutatingwebhookconfigurations -o yaml > karpenter-webhooks.yaml",
                        "helm -n %s get values %s -o yaml > values.yaml"
                                .formatted(namespace, name)),
                List.of("ls -l karpenter-objects.yaml values.yaml"),
                List.of());
    }

    private Step look() {
        return new Step(
                "See what would change",
                "nothing is written",
                switch (age) {
                    case ALPHA, BETA -> List.of("millwright migrate --diff", "millwright doctor");
                    case CURRENT -> List.of("millwright doctor");
                },
                List.of(),
                List.of());
    }

    private Step stop() {
        return new Step(
                "Stop Karpenter",
                "nodes and pods stay as they are; pods that wait, wait on",
                List.of(
                        "kubectl -n %s scale deployment %s --replicas=0".formatted(namespace, name),
                        "kubectl -n %s wait --for=delete pod -l app.kubernetes.io/name=karpenter --timeout=2m"
                                .formatted(namespace)),
                List.of("kubectl -n %s get lease karpenter-leader-election".formatted(namespace)),
                List.of(
                        "kubectl -n %s scale deployment %s --replicas=2"
                                .formatted(namespace, name)));
    }

    private Step definitions() {
        return new Step(
                "Install the definitions",
                age == Age.ALPHA
                        ? "they stand beside the old ones"
                        : "they accept what Karpenter's accept; objects stay",
                List.of(
                        "helm upgrade --install karpenter-crd deploy/charts/millwright-crd -n %s --take-ownership"
                                .formatted(namespace)),
                List.of(
                        "kubectl wait --for=condition=Established crd/nodepools.karpenter.sh crd/nodeclaims.karpenter.sh"),
                List.of("helm -n %s rollback karpenter-crd".formatted(namespace)));
    }

    private Step adopt() {
        return new Step(
                "Adopt the nodes",
                "each node gets a NodeClaim; nothing is drained or started anew",
                List.of("millwright migrate --apply --node-role NODE_ROLE"),
                List.of("kubectl get nodepools,nodeclaims"),
                List.of("millwright migrate --undo"));
    }

    private Step install(String more) {
        return new Step(
                "Start Millwright in Karpenter's place",
                "the same release, values, roles, queue and lease; controller.image.repository in values.yaml names an image of Millwright. New nodes are packed into the cheapest fleet found; settings.packing: first-fit keeps Karpenter's packing",
                List.of(
                        "helm upgrade --install %s deploy/charts/millwright -n %s -f values.yaml%s"
                                .formatted(name, namespace, more)),
                List.of("kubectl -n %s rollout status deployment %s".formatted(namespace, name)),
                List.of(
                        "kubectl -n %s scale deployment %s --replicas=0".formatted(namespace, name),
                        "helm -n %s rollback %s".formatted(namespace, name)));
    }

    private Step stored() {
        return new Step(
                "Wait until everything is stored as v1, then turn the webhook off",
                "the controller writes each object again; then no API server asks the webhook",
                List.of(
                        "kubectl get crd nodepools.karpenter.sh nodeclaims.karpenter.sh ec2nodeclasses.karpenter.k8s.aws -o custom-columns=NAME:.metadata.name,STORED:.status.storedVersions",
                        "helm upgrade %s deploy/charts/millwright -n %s -f values.yaml"
                                .formatted(name, namespace),
                        "helm upgrade --install karpenter-crd deploy/charts/millwright-crd -n %s --take-ownership"
                                .formatted(namespace),
                        "for each in nodepools.karpenter.sh nodeclaims.karpenter.sh ec2nodeclasses.karpenter.k8s.aws; do kubectl patch crd $each --type=merge -p '{\"spec\":{\"conversion\":{\"strategy\":\"None\",\"webhook\":null}}}'; done"),
                List.of("kubectl get nodepools.v1.karpenter.sh"),
                List.of(
                        "helm upgrade %s deploy/charts/millwright -n %s -f values.yaml --set webhook.enabled=true"
                                .formatted(name, namespace)));
    }
}
