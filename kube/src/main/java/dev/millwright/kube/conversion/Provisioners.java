package dev.millwright.kube.conversion;

import dev.millwright.kube.document.Field;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;

/// Provisioners of v1alpha5 as NodePools of v1beta1, which [NodePools] carries further.
final class Provisioners {

    private static final Set<String> KNOWN =
            Set.of(
                    "annotations",
                    "labels",
                    "taints",
                    "startupTaints",
                    "requirements",
                    "kubeletConfiguration",
                    "provider",
                    "providerRef",
                    "ttlSecondsAfterEmpty",
                    "ttlSecondsUntilExpired",
                    "limits",
                    "weight",
                    "consolidation");

    /// Keys of which one tells the controller which machines are meant.
    private static final Set<String> TYPE_KEYS =
            Set.of(
                    "node.kubernetes.io/instance-type",
                    "karpenter.k8s.aws/instance-family",
                    "karpenter.k8s.aws/instance-category",
                    "karpenter.k8s.aws/instance-generation");

    /// Keys that nothing may be asked of any more.
    private static final Set<String> GONE_KEYS =
            Set.of(OldKeys.PROVISIONER_NAME, OldKeys.INSTANCE_PODS);

    static final String FORCEFUL =
            "since v1 expiry waits for no budget and no replacement; to have both, set Never and the annotation millwright.dev/expire-softly-after";

    private static final long SECONDS_MAX = Integer.MAX_VALUE;
    private static final String NODE_TEMPLATE = "AWSNodeTemplate";

    private final Field provisioner;
    private final Field spec;
    private final Notebook notes;
    private final boolean isIgnoringDefaults;

    /// A pool, and the class that its inline provider became.
    record Made(Value.Mapping pool, Value.@Nullable Mapping nodeClass) {}

    Provisioners(Field provisioner, Notebook notes, boolean isIgnoringDefaults) {
        this.provisioner = provisioner;
        this.spec = provisioner.at("spec");
        this.notes = notes;
        this.isIgnoringDefaults = isIgnoringDefaults;
    }

    Made converted() {
        notes.dropUnknown(spec, KNOWN);
        var name = provisioner.at("metadata").at("name").text("");
        var inner = Tree.of();
        copy(spec.at("taints"), inner, "taints");
        copy(spec.at("startupTaints"), inner, "startupTaints");
        inner.putList("requirements", requirements());
        inner.put("nodeClassRef", classReference(name));
        kubelet(inner);
        var pool = Tree.of("template", template(inner)).put("disruption", disruption());
        copy(spec.at("limits").at("resources"), pool, "limits");
        notes.dropUnknown(spec.at("limits"), Set.of("resources"));
        copy(spec.at("weight"), pool, "weight");
        var object =
                Tree.of("apiVersion", OldKeys.BETA)
                        .put("kind", "NodePool")
                        .put("metadata", OldMetadata.of(provisioner, notes))
                        .put("spec", pool);
        var used = provisioner.at("status").at("resources");
        if (used.isPresent()) {
            var status = Tree.of();
            copy(used, status, "resources");
            object.put("status", status);
        }
        return new Made(object.mapping(), nodeClass(name));
    }

    static void copy(Field from, Tree to, String name) {
        var value = from.value();
        if (value != null) {
            to.put(name, value);
        }
    }

    private Tree template(Tree inner) {
        var metadata = Tree.of();
        var labels = OldMetadata.renamed(spec.at("labels"), notes);
        if (labels.remove(OldKeys.NODE_POOL) != null) {
            notes.dropped(
                    spec.at("labels"), "the label karpenter.sh/nodepool is set by the controller");
        }
        if (!labels.isEmpty()) {
            metadata.putTexts("labels", labels);
        }
        var annotations = OldMetadata.renamed(spec.at("annotations"), notes);
        if (!annotations.isEmpty()) {
            metadata.putTexts("annotations", annotations);
        }
        var template = Tree.of();
        if (!metadata.isEmpty()) {
            template.put("metadata", metadata);
        }
        return template.put("spec", inner);
    }

    private List<Value> requirements() {
        var kept = new ArrayList<Value>();
        var keys = new ArrayList<String>();
        for (var requirement : spec.at("requirements").elements()) {
            var key = requirement.at("key").requiredText("the key of a label");
            requirement.at("operator").requiredText("an operator such as In");
            requirement.at("values").textList();
            var value = requirement.value();
            if (GONE_KEYS.contains(key)) {
                notes.dropped(requirement, "nodes no longer have this label");
            } else if (value != null) {
                keys.add(key);
                kept.add(value);
            }
        }
        if (!isIgnoringDefaults) {
            inject(kept, keys);
        }
        return kept;
    }

    /// What v1alpha5 took for granted, which later APIs do not.
    private void inject(List<Value> kept, List<String> keys) {
        injectUnless(keys, kept, "kubernetes.io/os", "In", "linux");
        injectUnless(keys, kept, "kubernetes.io/arch", "In", "amd64");
        injectUnless(keys, kept, "karpenter.sh/capacity-type", "In", "on-demand");
        if (keys.stream().noneMatch(TYPE_KEYS::contains)) {
            injectUnless(keys, kept, "karpenter.k8s.aws/instance-category", "In", "c", "m", "r");
            injectUnless(keys, kept, "karpenter.k8s.aws/instance-generation", "Gt", "2");
        }
    }

    private void injectUnless(
            List<String> keys, List<Value> kept, String key, String operator, String... values) {
        if (keys.contains(key)) {
            return;
        }
        kept.add(
                Tree.of("key", key)
                        .put("operator", operator)
                        .putTextList("values", List.of(values))
                        .mapping());
        notes.injected(
                provisioner,
                "spec.requirements[%s]".formatted(key),
                "%s %s".formatted(operator, List.of(values)),
                "v1alpha5 meant this when nothing was said; take it out, or use --ignore-defaults, to allow more");
    }

    private Tree classReference(String name) {
        var reference = spec.at("providerRef");
        var isInline = spec.at("provider").isPresent();
        if (isInline && reference.isPresent()) {
            reference.fault("found providerRef and provider; wanted one of them");
        }
        if (isInline) {
            return awsClass(name);
        }
        if (!reference.isPresent()) {
            reference.missing("the AWSNodeTemplate by its name, or provider with the settings");
            return awsClass(name);
        }
        var kind = reference.at("kind").text(NODE_TEMPLATE);
        var named = reference.at("name").requiredText("the name of the AWSNodeTemplate");
        if (kind.equals(NODE_TEMPLATE)) {
            return awsClass(named);
        }
        notes.check(
                reference,
                "nodeClassRef of the same kind",
                "no %s is converted here; see that %s %s is there".formatted(kind, kind, named));
        return Tree.of("apiVersion", reference.at("apiVersion").text(""))
                .put("kind", kind)
                .put("name", named);
    }

    private static Tree awsClass(String name) {
        return Tree.of("apiVersion", OldKeys.AWS_BETA)
                .put("kind", "EC2NodeClass")
                .put("name", name);
    }

    private Value.@Nullable Mapping nodeClass(String name) {
        var provider = spec.at("provider");
        if (!provider.isPresent()) {
            return null;
        }
        notes.changed(
                provider,
                "EC2NodeClass " + name,
                "a Provisioner's own settings of machines are an object of their own now");
        return new NodeTemplates(provider, notes)
                .converted(Tree.of("name", name).mapping(), Set.of("apiVersion", "kind"));
    }

    private void kubelet(Tree inner) {
        var kubelet = spec.at("kubeletConfiguration");
        if (!(kubelet.value() instanceof Value.Mapping)) {
            kubelet.entries(); // Tells when it is something else.
            return;
        }
        var fields = new LinkedHashMap<String, Value>();
        kubelet.entries()
                .forEach(
                        (name, field) -> {
                            var value = field.value();
                            if (name.equals("containerRuntime")) {
                                notes.dropped(field, "there is containerd only");
                            } else if (value != null) {
                                fields.put(name, Kubelets.plain(name, value));
                            }
                        });
        inner.put("kubelet", new Value.Mapping(kubelet.position(), fields));
    }

    private Tree disruption() {
        var disruption = Tree.of();
        var consolidation = spec.at("consolidation");
        notes.dropUnknown(consolidation, Set.of("enabled"));
        var afterEmpty = spec.at("ttlSecondsAfterEmpty");
        var emptySeconds = afterEmpty.whole(0, SECONDS_MAX);
        var isConsolidated = consolidation.at("enabled").isTrue();
        if (isConsolidated && emptySeconds != null) {
            afterEmpty.fault(
                    "found %d beside consolidation.enabled; wanted one of them: v1alpha5 takes no Provisioner with both"
                            .formatted(emptySeconds));
        }
        if (isConsolidated) {
            disruption.put("consolidationPolicy", "WhenUnderutilized");
            notes.changed(
                    consolidation,
                    "disruption.consolidationPolicy WhenEmptyOrUnderutilized, consolidateAfter 0s",
                    "a longer time leaves nodes in peace while pods come and go");
        } else if (emptySeconds != null) {
            disruption
                    .put("consolidationPolicy", "WhenEmpty")
                    .put("consolidateAfter", emptySeconds + "s");
        } else {
            disruption.put("consolidationPolicy", "WhenEmpty").put("consolidateAfter", "Never");
            notes.injected(
                    afterEmpty,
                    "disruption.consolidationPolicy WhenEmpty, consolidateAfter Never",
                    "without consolidation and ttlSecondsAfterEmpty no node went by choice, and so it stays; set consolidateAfter to let nodes go");
        }
        var untilExpired = spec.at("ttlSecondsUntilExpired");
        var expirySeconds = untilExpired.whole(0, SECONDS_MAX);
        disruption.put("expireAfter", expirySeconds == null ? "Never" : expirySeconds + "s");
        if (expirySeconds != null) {
            notes.changed(
                    untilExpired,
                    "template.spec.expireAfter %ds".formatted(expirySeconds),
                    FORCEFUL);
        } else {
            notes.injected(
                    untilExpired,
                    "expireAfter Never",
                    "nodes did not expire, and so it stays; without it v1 would replace them after 720h");
        }
        notes.injected(
                spec.at("disruption").at("budgets"),
                "by the API server a budget of 10% of the nodes",
                "v1alpha5 knew no budgets; set spec.disruption.budgets when nodes should go faster or slower");
        return disruption;
    }
}
