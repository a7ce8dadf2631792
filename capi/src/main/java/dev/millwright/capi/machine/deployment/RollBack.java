package dev.millwright.capi.machine.deployment;

import dev.millwright.capi.machine.object.Marks;
import dev.millwright.capi.machine.object.Patches;
import dev.millwright.capi.object.CaptTypes;
import dev.millwright.capi.object.Merge;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.event.KubeEvent;
import dev.millwright.kube.object.RawObject;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Step;

/// Puts the template of an older revision into the deployment, once. What follows is a rollout like
/// any other, and finds the old set there.
final class RollBack {

    private RollBack() {}

    static Step of(RawObject deployment, Revisions revisions, long number) {
        var subject = KubeEvent.Subject.of(CaptTypes.MACHINE_DEPLOYMENT.type(), deployment);
        var revision = revisions.numbered(number);
        if (revision == null) {
            return Step.of(
                    forgotten(deployment, Tree.of()),
                    new Effect.Publish(
                            KubeEvent.warning(
                                    subject,
                                    "RollbackRevisionNotFound",
                                    "found no revision %s to roll back to"
                                            .formatted(number == 0 ? "before" : number))));
        }
        if (revision.equals(revisions.newest())) {
            return Step.of(
                    forgotten(deployment, Tree.of()),
                    new Effect.Publish(
                            KubeEvent.warning(
                                    subject,
                                    "RollbackTemplateUnchanged",
                                    "revision %d has the template that is there already"
                                            .formatted(number))));
        }
        var present = deployment.spec().at("template").value();
        var changed = Merge.replacement(present, revision.template());
        return Step.of(
                forgotten(deployment, Tree.of().put("template", changed)),
                new Effect.Publish(
                        KubeEvent.normal(
                                subject,
                                "RollbackDone",
                                "took the template of revision %d".formatted(revision.number()))));
    }

    /// The wish goes with the write that grants it.
    private static Effect forgotten(RawObject deployment, Tree spec) {
        if (deployment.spec().at("rollbackTo").isPresent()) {
            spec.putNothing("rollbackTo");
        }
        var annotations = Tree.of();
        if (deployment.meta().annotation(Marks.ROLL_BACK) != null) {
            annotations.putNothing(Marks.ROLL_BACK);
        }
        return Patches.merged(
                CaptTypes.MACHINE_DEPLOYMENT,
                deployment,
                Tree.of().put("annotations", annotations),
                spec.isEmpty() ? Tree.of() : Tree.of("spec", spec));
    }
}
