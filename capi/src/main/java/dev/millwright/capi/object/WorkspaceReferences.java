package dev.millwright.capi.object;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.document.Field;
import dev.millwright.kube.grant.ReferencePolicy.To;

import java.util.ArrayList;
import java.util.List;

/// What the spec of a Workspace refers to by namespace and name.
public final class WorkspaceReferences {

    private static final String FLUX = "source.toolkit.fluxcd.io";

    private final List<To> all = new ArrayList<>();
    private final String own;

    private WorkspaceReferences(String own) {
        this.own = own;
    }

    /// @param own the namespace of references that name none
    public static List<To> of(Field spec, String own) {
        var references = new WorkspaceReferences(own);
        references.secret("spec.writeConnectionSecretToRef", spec.at("writeConnectionSecretToRef"));
        var provider = spec.at("forProvider");
        for (var list : List.of("varFiles", "env")) {
            provider.at(list).elements().forEach(each -> references.keys(list, each));
        }
        references.module(provider);
        return List.copyOf(references.all);
    }

    /// A Secret, wherever an object names one.
    public static To secret(String field, ObjectName name) {
        return new To(field, "", "Secret", name);
    }

    private void keys(String list, Field entry) {
        var field = "spec.forProvider.%s.".formatted(list);
        secret(field + "secretKeyRef", entry.at("secretKeyRef"));
        var name = Reference.of(entry.at("configMapKeyRef"));
        if (name != null) {
            all.add(new To(field + "configMapKeyRef", "", "ConfigMap", name.in(own)));
        }
    }

    private void secret(String field, Field reference) {
        var name = Reference.of(reference);
        if (name != null) {
            all.add(secret(field, name.in(own)));
        }
    }

    /// `Kind::namespace/name` of what Flux fetches.
    private void module(Field provider) {
        var text = provider.at("module").text("");
        var colons = text.indexOf("::");
        var slash = text.indexOf('/', Math.max(0, colons));
        if (provider.at("source").text("").equals("Flux") && colons > 0 && slash > 0) {
            all.add(
                    new To(
                            "spec.forProvider.module",
                            FLUX,
                            text.substring(0, colons),
                            new ObjectName(
                                    text.substring(colons + 2, slash), text.substring(slash + 1))));
        }
    }
}
