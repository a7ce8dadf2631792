package dev.millwright.capi.machine.deployment;

import dev.millwright.capi.machine.deployment.Revisions.Revision;
import dev.millwright.capi.machine.object.Marks;
import dev.millwright.capi.machine.object.Patches;
import dev.millwright.capi.machine.object.Template;
import dev.millwright.capi.machine.object.Values;
import dev.millwright.capi.machine.roll.Bounds;
import dev.millwright.capi.object.CaptTypes;
import dev.millwright.capi.object.ClusterApi;
import dev.millwright.capi.object.Owners;
import dev.millwright.core.label.Selector;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.object.RawObject;
import dev.millwright.runtime.step.Answers;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Step;

import java.util.List;

/// What a deployment writes to its sets.
final class SetWrites {

    private static final int HASH_LENGTH = 10;

    private SetWrites() {}

    /// Another number of collisions makes another name.
    static String hash(DeploymentSpec spec, long collisions) {
        return Values.hash(spec.template().value(), "/" + collisions).substring(0, HASH_LENGTH);
    }

    static String name(RawObject deployment, String hash) {
        return deployment.name().name() + "-" + hash;
    }

    static Effect.Write creation(
            RawObject deployment, DeploymentSpec spec, String hash, long number, int replicas) {
        var type = CaptTypes.MACHINE_SET.type();
        var labels = Tree.of();
        labels.putUnlessEmpty(
                ClusterApi.CLUSTER_NAME, deployment.meta().label(ClusterApi.CLUSTER_NAME));
        spec.template().labels().forEach(labels::put);
        labels.put(Marks.HASH, hash);
        var metadata =
                Tree.of("name", name(deployment, hash))
                        .put("namespace", deployment.name().namespace())
                        .put("labels", labels)
                        .put(
                                "annotations",
                                notes(spec.bounds())
                                        .put(Marks.REVISION, Long.toString(number))
                                        .put(
                                                Marks.TEMPLATE_HASH,
                                                Values.hash(spec.template().value(), "")))
                        .putList(
                                "ownerReferences",
                                List.of(
                                        Owners.controller(CaptTypes.MACHINE_DEPLOYMENT, deployment)
                                                .value()));
        var set =
                Tree.of()
                        .put("replicas", replicas)
                        .put("minReadySeconds", spec.minReady().toSeconds())
                        .put("selector", selector(spec.template().selector(), hash))
                        .put(
                                "template",
                                Template.labelled(spec.template().value(), Marks.HASH, hash));
        var body =
                Tree.of("apiVersion", type.apiVersion())
                        .put("kind", type.kind())
                        .put("metadata", metadata)
                        .put("spec", set);
        return new Effect.Write(
                new ApiWrite.Create(type, deployment.name().namespace(), body.mapping()),
                SetWrites::made);
    }

    /// A name that is taken is a set that the view has yet to show.
    private static Step made(ApiAnswer answer) {
        return answer.isConflict() ? Step.RETRY : Answers.usual(answer);
    }

    /// The deployment's own, of this revision alone.
    private static Tree selector(Selector selector, String hash) {
        var labels = Tree.of();
        selector.matchLabels().forEach(labels::put);
        labels.put(Marks.HASH, hash);
        var tree = Tree.of("matchLabels", labels);
        if (!selector.expressions().isEmpty()) {
            tree.putList(
                    "matchExpressions",
                    selector.expressions().stream()
                            .map(
                                    each -> {
                                        var expression =
                                                Tree.of("key", each.key())
                                                        .put("operator", each.operator().text());
                                        if (!each.values().isEmpty()) {
                                            expression.putTextList("values", each.values());
                                        }
                                        return expression.mapping();
                                    })
                            .toList());
        }
        return tree;
    }

    private static Tree notes(Bounds bounds) {
        return Tree.of(Marks.DESIRED, Integer.toString(bounds.replicas()))
                .put(Marks.MAX, Integer.toString(bounds.most()));
    }

    /// No write where the set has all that already.
    static List<Effect> size(Revision revision, int replicas, Bounds bounds) {
        var notes = notes(bounds).mapping();
        var isNoted =
                notes.fields().entrySet().stream()
                        .allMatch(
                                note ->
                                        note.getValue() instanceof Value.Text(_, var text)
                                                && text.equals(
                                                        revision.set()
                                                                .meta()
                                                                .annotation(note.getKey())));
        if (isNoted && revision.wanted() == replicas) {
            return List.of();
        }
        return List.of(
                Patches.merged(
                        CaptTypes.MACHINE_SET,
                        revision.set(),
                        Tree.of().put("annotations", notes),
                        Tree.of("spec", Tree.of().put("replicas", replicas))));
    }

    /// The number of the newest revision, and the readiness that the deployment asks for.
    static List<Effect> upkeep(Revisions revisions, DeploymentSpec spec) {
        var newest = revisions.newest();
        for (var revision : revisions.all()) {
            var number = revision.equals(newest) ? revisions.newestNumber() : revision.number();
            var seconds =
                    revision.set().spec().at("minReadySeconds").whole(0, Integer.MAX_VALUE, 0);
            var isWaiting = seconds != spec.minReady().toSeconds();
            if (revision.set().meta().isDeleting() || (number == revision.number() && !isWaiting)) {
                continue;
            }
            var annotations = Tree.of();
            if (number != revision.number()) {
                annotations.put(Marks.REVISION, Long.toString(number));
            }
            return List.of(
                    Patches.merged(
                            CaptTypes.MACHINE_SET,
                            revision.set(),
                            Tree.of().put("annotations", annotations),
                            isWaiting
                                    ? Tree.of(
                                            "spec",
                                            Tree.of()
                                                    .put(
                                                            "minReadySeconds",
                                                            spec.minReady().toSeconds()))
                                    : Tree.of()));
        }
        return List.of();
    }
}
