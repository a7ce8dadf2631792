package dev.millwright.capi.apply;

import dev.millwright.capi.object.CaptTypes;
import dev.millwright.capi.object.Reference;
import dev.millwright.capi.object.WorkspaceReferences;
import dev.millwright.kube.document.Faults;
import dev.millwright.kube.document.Field;
import dev.millwright.kube.grant.ReferencePolicy.From;
import dev.millwright.kube.grant.ReferencePolicy.To;
import dev.millwright.kube.object.RawObject;

import java.util.ArrayList;
import java.util.List;

/// What an apply refers to, and what the Workspace made of it would. The Workspace has no
/// namespace, so that nothing about it tells whose it is but the apply.
final class ApplyReferences {

    private ApplyReferences() {}

    static From from(RawObject apply) {
        var type = CaptTypes.APPLY.type();
        return new From(type.group(), type.kind(), apply.name().namespace());
    }

    /// What must be allowed before the template is read.
    static List<To> ofSpec(RawObject apply) {
        var own = apply.name().namespace();
        var all = new ArrayList<To>();
        var template = Applies.templateName(apply);
        if (template != null) {
            var type = CaptTypes.WORKSPACE_TEMPLATE.type();
            all.add(new To("spec.templateRef", type.group(), type.kind(), template));
        }
        for (var each : apply.spec().at("waitForSecrets").elements()) {
            var reference = Reference.of(each);
            if (reference != null) {
                all.add(WorkspaceReferences.secret("spec.waitForSecrets", reference.in(own)));
            }
        }
        return all;
    }

    /// A Workspace that the apply's status names and that bears no mark.
    static To ofClaim(RawObject workspace) {
        var type = CaptTypes.WORKSPACE.type();
        return new To("status.workspaceName", type.group(), type.kind(), workspace.name());
    }

    static List<To> ofRendering(RawObject apply, Rendering rendering) {
        return WorkspaceReferences.of(
                Field.root("spec", rendering.spec(), new Faults()), apply.name().namespace());
    }
}
