package dev.millwright.kube.conversion;

import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// EC2NodeClasses of v1beta1 and v1, both ways.
final class Ec2NodeClasses {

    static final String IMAGE_PLACEHOLDER = "ami-placeholder";

    private static final String UBUNTU = "Ubuntu";
    private static final String CUSTOM = "Custom";
    private static final String LATEST = "latest";

    /// Marks of what was made up for Ubuntu, and so goes again on the way back.
    private static final String MARK_FAMILY = "amiFamily";

    private static final String MARK_DEVICES = "blockDeviceMappings";
    private static final String MARK_IMAGE = "incompatible";

    /// Families whose newest image v1 calls by an alias.
    private static final List<String> ALIASED =
            List.of("AL2", "AL2023", "Bottlerocket", "Windows2019", "Windows2022", "Windows2025");

    /// Fields that v1 has and v1beta1 has not.
    private static final Set<String> CURRENT_ONLY =
            Set.of(
                    "kubelet",
                    "capacityReservationSelectorTerms",
                    "placementGroupSelector",
                    "ipPrefixCount",
                    "networkInterfaces",
                    "connectionTracking",
                    "cpuOptions");

    private Ec2NodeClasses() {}

    static Value.Mapping toCurrent(Value.Mapping nodeClass) {
        var made = Nested.with(nodeClass, OldKeys.AWS_CURRENT, "apiVersion");
        var family = ClassReferences.orEmpty(Nested.text(nodeClass, "spec", "amiFamily"));
        var hasTerms = !Nested.list(nodeClass, "spec", "amiSelectorTerms").isEmpty();
        if (family.equals(UBUNTU)) {
            made = ubuntu(made, hasTerms);
        } else if (ALIASED.contains(family)) {
            made = hasTerms ? made : aliased(made, family);
        } else {
            made = Nested.with(made, CUSTOM, "spec", "amiFamily");
        }
        return Nested.withoutAnnotation(made, OldKeys.ALIAS_VERSION);
    }

    private static Value.Mapping aliased(Value.Mapping nodeClass, String family) {
        var pinned = NodePools.annotation(nodeClass, OldKeys.ALIAS_VERSION);
        var alias =
                "%s@%s"
                        .formatted(
                                family.toLowerCase(Locale.ROOT), pinned == null ? LATEST : pinned);
        return Nested.with(
                Nested.without(nodeClass, "spec", "amiFamily"),
                Tree.list(List.of(Tree.of("alias", alias).mapping())),
                "spec",
                "amiSelectorTerms");
    }

    /// v1 has no such family; AL2 starts such images the same way.
    private static Value.Mapping ubuntu(Value.Mapping nodeClass, boolean hasTerms) {
        var made = Nested.with(nodeClass, "AL2", "spec", "amiFamily");
        var marks = new ArrayList<>(List.of(MARK_FAMILY));
        if (Nested.list(nodeClass, "spec", "blockDeviceMappings").isEmpty()) {
            marks.add(MARK_DEVICES);
            var volume =
                    Tree.of()
                            .put("encrypted", true)
                            .put("volumeType", "gp3")
                            .put("volumeSize", "20Gi");
            made =
                    Nested.with(
                            made,
                            Tree.list(
                                    List.of(
                                            Tree.of("deviceName", "/dev/sda1")
                                                    .put("rootVolume", true)
                                                    .put("ebs", volume)
                                                    .mapping())),
                            "spec",
                            "blockDeviceMappings");
        }
        if (!hasTerms) {
            marks.add(MARK_IMAGE);
            made =
                    Nested.with(
                            made,
                            Tree.list(List.of(Tree.of("id", IMAGE_PLACEHOLDER).mapping())),
                            "spec",
                            "amiSelectorTerms");
        }
        return Nested.withAnnotation(made, OldKeys.UBUNTU, String.join(",", marks));
    }

    static Value.Mapping toBeta(Value.Mapping nodeClass) {
        var made = Nested.with(nodeClass, OldKeys.AWS_BETA, "apiVersion");
        for (var field : CURRENT_ONLY) {
            made = Nested.without(made, "spec", field);
        }
        made = Nested.without(made, "status", "capacityReservations");
        var marks = SelectorTerms.split(NodePools.annotation(nodeClass, OldKeys.UBUNTU));
        made = marks.isEmpty() ? unaliased(made) : ofUbuntu(made, marks);
        made = Nested.withoutAnnotation(made, OldKeys.UBUNTU);
        return Nested.withoutAnnotation(made, OldKeys.STORED_VERSION_MIGRATED);
    }

    private static Value.Mapping ofUbuntu(Value.Mapping nodeClass, List<String> marks) {
        var made = Nested.with(nodeClass, UBUNTU, "spec", "amiFamily");
        if (marks.contains(MARK_DEVICES)) {
            made = Nested.without(made, "spec", "blockDeviceMappings");
        }
        if (marks.contains(MARK_IMAGE)) {
            made = Nested.without(made, "spec", "amiSelectorTerms");
        }
        return made;
    }

    private static Value.Mapping unaliased(Value.Mapping nodeClass) {
        var terms = Nested.list(nodeClass, "spec", "amiSelectorTerms");
        String alias = null;
        var others = new ArrayList<Value>();
        for (var term : terms) {
            var found = term instanceof Value.Mapping mapping ? mapping.text("alias") : null;
            if (found == null) {
                others.add(term);
            } else {
                alias = found;
            }
        }
        var made =
                others.isEmpty()
                        ? Nested.without(nodeClass, "spec", "amiSelectorTerms")
                        : Nested.with(nodeClass, Tree.list(others), "spec", "amiSelectorTerms");
        if (alias == null) {
            return made;
        }
        var at = alias.indexOf('@');
        var version = at < 0 ? LATEST : alias.substring(at + 1);
        if (Nested.text(nodeClass, "spec", "amiFamily") == null) {
            made =
                    Nested.with(
                            made,
                            family(at < 0 ? alias : alias.substring(0, at)),
                            "spec",
                            "amiFamily");
        }
        return version.equals(LATEST)
                ? made
                : Nested.withAnnotation(made, OldKeys.ALIAS_VERSION, version);
    }

    private static String family(String alias) {
        return ALIASED.stream()
                .filter(family -> family.toLowerCase(Locale.ROOT).equals(alias))
                .findFirst()
                .orElse(CUSTOM);
    }
}
