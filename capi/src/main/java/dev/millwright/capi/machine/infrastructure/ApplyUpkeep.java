package dev.millwright.capi.machine.infrastructure;

import dev.millwright.capi.machine.object.Ownership;
import dev.millwright.capi.machine.object.Patches;
import dev.millwright.capi.machine.object.Values;
import dev.millwright.capi.object.CaptTypes;
import dev.millwright.capi.object.ClusterApi;
import dev.millwright.capi.object.Merge;
import dev.millwright.capi.object.Owners;
import dev.millwright.capi.object.Reference;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.object.RawObject;
import dev.millwright.runtime.step.Answers;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Step;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;

/// The apply that an object is made by: there, and as it should be.
///
/// @param apply as the view shows it; null while there is none, or while another's has its name
/// @param problem why there is none that is ours, for a person; empty otherwise
/// @param effects writes that mend what is missing
record ApplyUpkeep(@Nullable RawObject apply, String problem, List<Effect> effects) {

    ApplyUpkeep {
        effects = List.copyOf(effects);
    }

    static ApplyUpkeep of(
            View view,
            Kind<RawObject> kind,
            RawObject owner,
            String suffix,
            Map<String, String> variables) {
        var template = Reference.of(owner.spec().at("workspaceTemplateRef"));
        if (template == null) {
            return new ApplyUpkeep(null, "spec.workspaceTemplateRef has no name", List.of());
        }
        var name = name(owner, suffix);
        var target = template.in(owner.name().namespace());
        var spec =
                Tree.of(
                                "templateRef",
                                Tree.of("name", target.name()).put("namespace", target.namespace()))
                        .putTexts("variables", variables);
        var apply = view.cache(CaptTypes.APPLY).find(name);
        if (apply == null) {
            return new ApplyUpkeep(null, "", List.of(creation(kind, owner, name, spec)));
        }
        if (!Ownership.isControlledBy(apply, owner)) {
            return new ApplyUpkeep(
                    null,
                    "WorkspaceTemplateApply %s belongs to something else".formatted(name),
                    List.of());
        }
        if (apply.meta().isDeleting()) {
            return new ApplyUpkeep(
                    null, "WorkspaceTemplateApply %s is being deleted".formatted(name), List.of());
        }
        // What others set beside ours, such as a connection secret, is theirs.
        var present = Values.mapping(apply.spec().value());
        var wanted = present;
        for (var field : spec.mapping().fields().entrySet()) {
            wanted = Values.with(wanted, field.getKey(), field.getValue());
        }
        var patch = Merge.replacement(present, wanted);
        return new ApplyUpkeep(
                apply,
                "",
                Merge.changes(apply.spec(), patch)
                        ? List.of(
                                Patches.merged(
                                        CaptTypes.APPLY,
                                        apply,
                                        Tree.of(),
                                        Tree.of().put("spec", patch)))
                        : List.of());
    }

    private static ObjectName name(RawObject owner, String suffix) {
        return new ObjectName(owner.name().namespace(), owner.name().name() + suffix);
    }

    /// Whether the owner's apply is there.
    static boolean isBegun(View view, RawObject owner, String suffix) {
        var apply = view.cache(CaptTypes.APPLY).find(name(owner, suffix));
        return apply != null && Ownership.isControlledBy(apply, owner);
    }

    private static Effect creation(
            Kind<RawObject> kind, RawObject owner, ObjectName name, Tree spec) {
        var type = CaptTypes.APPLY.type();
        var labels =
                Tree.of()
                        .putUnlessEmpty(
                                ClusterApi.CLUSTER_NAME,
                                owner.meta().label(ClusterApi.CLUSTER_NAME));
        var metadata =
                Tree.of("name", name.name())
                        .put("namespace", name.namespace())
                        .put("labels", labels)
                        .putList(
                                "ownerReferences", List.of(Owners.controller(kind, owner).value()));
        var body =
                Tree.of("apiVersion", type.apiVersion())
                        .put("kind", type.kind())
                        .put("metadata", metadata)
                        .put("spec", spec);
        return new Effect.Write(
                new ApiWrite.Create(type, name.namespace(), body.mapping()),
                // One that is there already will be in the view soon.
                answer -> answer.isConflict() ? Step.RETRY : Answers.usual(answer));
    }
}
