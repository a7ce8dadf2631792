package dev.millwright.kube.conversion;

import dev.millwright.kube.document.Field;
import dev.millwright.kube.document.Value;

/// What the step from v1beta1 to v1 changes without a word.
final class BetaNotes {

    private BetaNotes() {}

    static void pool(Field pool, Notebook notes) {
        var disruption = pool.at("spec").at("disruption");
        var policy = disruption.at("consolidationPolicy").text("WhenUnderutilized");
        if (policy.equals("WhenUnderutilized")) {
            notes.injected(
                    disruption.at("consolidateAfter"),
                    "consolidationPolicy WhenEmptyOrUnderutilized, consolidateAfter 0s",
                    "v1 wants to be told; a longer time leaves nodes in peace while pods come and go");
        }
        var expiry = disruption.at("expireAfter");
        var expireAfter = expiry.text("Never");
        if (!expireAfter.equals("Never")) {
            notes.changed(
                    expiry, "template.spec.expireAfter " + expireAfter, Provisioners.FORCEFUL);
        }
        var template = pool.at("spec").at("template").at("spec");
        template.at("requirements").elements();
        var reference = template.at("nodeClassRef");
        reference.at("name").requiredText("the name of the EC2NodeClass");
        if (!reference.at("apiVersion").isPresent() || !reference.at("kind").isPresent()) {
            notes.injected(
                    reference,
                    "group karpenter.k8s.aws, kind EC2NodeClass where they were missing",
                    "v1 wants both; there was no other class");
        }
        if (template.at("resources").isPresent()) {
            notes.dropped(template.at("resources"), "no version heeded it");
        }
    }

    /// @param spec as it was found
    /// @param beta as v1beta1 has it
    static void nodeClass(Field spec, Value.Mapping beta, Notebook notes) {
        var family = Nested.text(beta, "spec", "amiFamily");
        var named = spec.at("amiFamily");
        var hasTerms = !Nested.list(beta, "spec", "amiSelectorTerms").isEmpty();
        if ("Ubuntu".equals(family)) {
            notes.check(
                    named,
                    hasTerms
                            ? "amiFamily AL2"
                            : "amiFamily AL2, amiSelectorTerms with the id "
                                    + Ec2NodeClasses.IMAGE_PLACEHOLDER,
                    hasTerms
                            ? "v1 has no Ubuntu; AL2 starts these images the same way"
                            : "v1 has no Ubuntu and looks for no image of it: put the ids of your images in");
            if (Nested.list(beta, "spec", "blockDeviceMappings").isEmpty()) {
                notes.injected(
                        spec.at("blockDeviceMappings"),
                        "/dev/sda1, gp3 of 20Gi, encrypted",
                        "it is the disk that Ubuntu had; AL2's would not start");
            }
            return;
        }
        if (family == null || family.equals("Custom")) {
            notes.check(
                    named,
                    "amiFamily Custom",
                    "its user data must let the kubelet register with the taint karpenter.sh/unregistered:NoExecute");
            return;
        }
        if (!hasTerms) {
            notes.changed(
                    named,
                    "amiSelectorTerms with an alias of " + family,
                    "an alias of latest follows new images as the family did; pin it to a version to choose when");
        }
    }
}
