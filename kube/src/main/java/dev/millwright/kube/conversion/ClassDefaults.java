package dev.millwright.kube.conversion;

import dev.millwright.kube.document.JsonWriter;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;

/// What node classes had without saying so, and must say now: who their nodes are, how far the
/// metadata service reaches; and tags that are no longer theirs to set.
final class ClassDefaults {

    private static final int HOPS = 2;

    private static final Set<String> RESERVED_TAGS =
            Set.of(
                    "eks:eks-cluster-name",
                    "karpenter.sh/nodepool",
                    "karpenter.sh/nodeclaim",
                    "karpenter.k8s.aws/ec2nodeclass",
                    "karpenter.sh/managed-by",
                    OldKeys.PROVISIONER_NAME);

    private final Migration.Options options;
    private final String defaultProfile;
    private final Notebook notes;

    ClassDefaults(
            Migration.Options options, GlobalSettings.@Nullable Made settings, Notebook notes) {
        this.options = options;
        this.defaultProfile = settings == null ? "" : settings.defaultProfile();
        this.notes = notes;
    }

    List<Turned> applied(List<Turned> all) {
        return all.stream().map(this::applied).toList();
    }

    private Turned applied(Turned turned) {
        var version = ClassReferences.orEmpty(turned.before().text("apiVersion"));
        if (version.equals(OldKeys.AWS_CURRENT)) {
            return turned;
        }
        var after = new ArrayList<Value.Mapping>();
        for (var object : turned.after()) {
            var isClass =
                    "EC2NodeClass".equals(object.text("kind"))
                            && OldKeys.AWS_CURRENT.equals(object.text("apiVersion"));
            after.add(isClass ? filled(turned, object, version) : object);
        }
        return new Turned(turned.origin(), turned.before(), after);
    }

    private Value.Mapping filled(Turned turned, Value.Mapping nodeClass, String version) {
        var isBeta = version.equals(OldKeys.AWS_BETA);
        return hopped(turned, identified(turned, untagged(turned, nodeClass)), isBeta);
    }

    private Value.Mapping identified(Turned turned, Value.Mapping nodeClass) {
        if (Nested.find(nodeClass, "spec", "role") != null
                || Nested.find(nodeClass, "spec", "instanceProfile") != null) {
            return nodeClass;
        }
        if (!options.nodeRole().isEmpty()) {
            say(turned, "role", "role " + options.nodeRole(), "it is the one given by --node-role");
            return Nested.with(nodeClass, options.nodeRole(), "spec", "role");
        }
        if (!defaultProfile.isEmpty()) {
            say(
                    turned,
                    "instanceProfile",
                    "instanceProfile " + defaultProfile,
                    "it is aws.defaultInstanceProfile of karpenter-global-settings");
            return Nested.with(nodeClass, defaultProfile, "spec", "instanceProfile");
        }
        say(
                turned,
                "role",
                "role " + NodeTemplates.ROLE_PLACEHOLDER,
                "nothing says which role the nodes have: put its name there, or convert again with --node-role");
        return Nested.with(nodeClass, NodeTemplates.ROLE_PLACEHOLDER, "spec", "role");
    }

    /// v1alpha1 had the default for all of the options or none; v1beta1 for each.
    private Value.Mapping hopped(Turned turned, Value.Mapping nodeClass, boolean isBeta) {
        var isSaid =
                isBeta
                        ? Nested.find(
                                        nodeClass,
                                        "spec",
                                        "metadataOptions",
                                        "httpPutResponseHopLimit")
                                != null
                        : Nested.find(nodeClass, "spec", "metadataOptions") != null;
        if (isSaid || options.isIgnoringDefaults()) {
            return nodeClass;
        }
        say(
                turned,
                "metadataOptions.httpPutResponseHopLimit",
                "httpPutResponseHopLimit " + HOPS,
                "v1 would take 1, which pods with a network of their own do not reach; take it out when they need not");
        return Nested.with(
                nodeClass,
                Nested.number(HOPS),
                "spec",
                "metadataOptions",
                "httpPutResponseHopLimit");
    }

    private Value.Mapping untagged(Turned turned, Value.Mapping nodeClass) {
        if (!(Nested.find(nodeClass, "spec", "tags") instanceof Value.Mapping(var at, var tags))) {
            return nodeClass;
        }
        var kept = new LinkedHashMap<String, Value>();
        tags.forEach(
                (key, value) -> {
                    if (RESERVED_TAGS.contains(key) || key.startsWith("kubernetes.io/cluster")) {
                        notes.add(
                                new Note(
                                        Note.Kind.DROPPED,
                                        turned.origin(),
                                        "%stags[%s]".formatted(above(turned), key),
                                        JsonWriter.text(value),
                                        "",
                                        "the controller sets this tag itself"));
                    } else {
                        kept.put(
                                key,
                                value instanceof Value.Numeral(_, var digits)
                                        ? Tree.text(digits)
                                        : value);
                    }
                });
        return kept.isEmpty()
                ? Nested.without(nodeClass, "spec", "tags")
                : Nested.with(nodeClass, new Value.Mapping(at, kept), "spec", "tags");
    }

    private void say(Turned turned, String path, String became, String advice) {
        notes.add(
                new Note(
                        Note.Kind.INJECTED,
                        turned.origin(),
                        above(turned) + path,
                        "",
                        became,
                        advice));
    }

    private static String above(Turned turned) {
        return "Provisioner".equals(turned.before().text("kind")) ? "spec.provider." : "spec.";
    }
}
