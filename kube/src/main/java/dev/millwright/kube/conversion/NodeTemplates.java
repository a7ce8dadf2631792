package dev.millwright.kube.conversion;

import dev.millwright.kube.document.Field;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// AWSNodeTemplates of v1alpha1, and the inline settings of Provisioners, as EC2NodeClasses of
/// v1beta1, which [Ec2NodeClasses] carries further.
final class NodeTemplates {

    /// What later tools put in the place of a role they do not know.
    static final String ROLE_PLACEHOLDER = "$KARPENTER_NODE_ROLE";

    private static final List<String> SAME =
            List.of(
                    "userData",
                    "tags",
                    "context",
                    "detailedMonitoring",
                    "metadataOptions",
                    "blockDeviceMappings");

    private static final List<String> OTHERS =
            List.of(
                    "amiFamily",
                    "subnetSelector",
                    "securityGroupSelector",
                    "amiSelector",
                    "instanceProfile",
                    "launchTemplate",
                    "launchTemplateName");

    private final Field spec;
    private final Notebook notes;

    NodeTemplates(Field spec, Notebook notes) {
        this.spec = spec;
        this.notes = notes;
    }

    static Value.Mapping ofObject(Field template, Notebook notes) {
        return new NodeTemplates(template.at("spec"), notes)
                .converted(OldMetadata.of(template, notes), Set.of());
    }

    Value.Mapping converted(Value.Mapping metadata, Set<String> knownBesides) {
        var known = new HashSet<>(SAME);
        known.addAll(OTHERS);
        known.addAll(knownBesides);
        notes.dropUnknown(spec, known);
        var made = Tree.of("amiFamily", amiFamily());
        var terms = new SelectorTerms(notes);
        made.putList("subnetSelectorTerms", terms.network(spec.at("subnetSelector"), "a subnet"));
        made.putList(
                "securityGroupSelectorTerms",
                terms.network(spec.at("securityGroupSelector"), "a security group"));
        var images = spec.at("amiSelector");
        if (images.isPresent()) {
            made.putList("amiSelectorTerms", terms.images(images));
        }
        refuseLaunchTemplate();
        var profile = spec.at("instanceProfile").text("");
        if (!profile.isEmpty()) {
            made.put("instanceProfile", profile);
        }
        for (var name : SAME) {
            Provisioners.copy(spec.at(name), made, name);
        }
        return Tree.of("apiVersion", OldKeys.AWS_BETA)
                .put("kind", "EC2NodeClass")
                .put("metadata", metadata)
                .put("spec", made)
                .mapping();
    }

    private String amiFamily() {
        var family = spec.at("amiFamily");
        var named = family.text("");
        if (!named.isEmpty()) {
            return named;
        }
        notes.injected(
                family,
                "amiFamily AL2",
                "v1alpha1 meant it when nothing was said; EKS has no image of it from Kubernetes 1.33 on, so plan the step to AL2023");
        return "AL2";
    }

    private void refuseLaunchTemplate() {
        for (var name : List.of("launchTemplate", "launchTemplateName")) {
            var found = spec.at(name);
            if (found.isPresent()) {
                found.fault(
                        "found %s; launch templates of one's own have no equal since v1beta1, so write what it says as fields of the AWSNodeTemplate and convert again"
                                .formatted(Notebook.found(found)));
            }
        }
    }
}
