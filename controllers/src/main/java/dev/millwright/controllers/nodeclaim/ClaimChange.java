package dev.millwright.controllers.nodeclaim;

import dev.millwright.core.quantity.Resources;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.ApiWrite.PatchKind;
import dev.millwright.kube.client.ApiWrite.Subresource;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.kube.object.Conditions;
import dev.millwright.kube.object.Meta;
import dev.millwright.runtime.step.Answers;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Step;

import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/// A claim as it was read and as it is to be. What differs is written, and nothing else.
///
/// Finalizers and owners are not changed this way.
public record ClaimChange(ClaimObject before, ClaimObject after) {

    public static ClaimChange of(ClaimObject claim) {
        return new ClaimChange(claim, claim);
    }

    public Conditions conditions() {
        return after.conditions();
    }

    public ClaimChange conditions(Conditions conditions) {
        if (conditions.equals(conditions())) {
            return this;
        }
        return status(
                old ->
                        new ClaimObject.Status(
                                old.nodeName(),
                                old.providerId(),
                                old.imageId(),
                                old.capacity(),
                                old.allocatable(),
                                old.lastPodEventAt(),
                                conditions.all()));
    }

    public ClaimChange status(UnaryOperator<ClaimObject.Status> change) {
        return new ClaimChange(
                before, new ClaimObject(after.meta(), after.spec(), change.apply(after.status())));
    }

    public ClaimChange labels(SequencedMap<String, String> labels) {
        return metadata(labels, after.meta().annotations());
    }

    public ClaimChange annotations(SequencedMap<String, String> annotations) {
        return metadata(after.meta().labels(), annotations);
    }

    private ClaimChange metadata(
            SequencedMap<String, String> labels, SequencedMap<String, String> annotations) {
        var meta = after.meta();
        var changed =
                new Meta(
                        meta.name(),
                        meta.uid(),
                        meta.resourceVersion(),
                        meta.generation(),
                        meta.createdAt(),
                        meta.deletedAt(),
                        labels,
                        annotations,
                        meta.finalizers(),
                        meta.owners());
        return new ClaimChange(before, new ClaimObject(changed, after.spec(), after.status()));
    }

    public boolean isEmpty() {
        return hasSameMetadata() && before.status().equals(after.status());
    }

    private boolean hasSameMetadata() {
        return before.meta().labels().equals(after.meta().labels())
                && before.meta().annotations().equals(after.meta().annotations());
    }

    /// The writes, none when nothing changed.
    public List<Effect> writes(View view) {
        return written(view, _ -> Step.DONE).effects();
    }

    /// Writes what changed, if anything, and goes on with the claim as it is then.
    ///
    /// Metadata goes first: a claim that says it was launched but has lost its machine's labels
    /// would never get them. Both writes fail when somebody else wrote since the claim was read.
    public Step written(View view, Function<ClaimObject, Step> then) {
        if (isEmpty()) {
            return then.apply(after);
        }
        if (hasSameMetadata()) {
            return Step.of(statusWrite(view, before, then));
        }
        return Step.of(
                write(
                        view,
                        metadataPatch(),
                        claim ->
                                before.status().equals(after.status())
                                        ? then.apply(claim)
                                        : Step.of(statusWrite(view, claim, then))));
    }

    private Effect statusWrite(View view, ClaimObject version, Function<ClaimObject, Step> then) {
        return write(view, statusPatch(version.meta()), then);
    }

    private static Effect write(View view, ApiWrite write, Function<ClaimObject, Step> then) {
        return new Effect.Write(
                write,
                answer ->
                        answer instanceof ApiAnswer.Done(var object)
                                ? then.apply(view.cache(Kind.NODE_CLAIM).read(object))
                                : Answers.usual(answer));
    }

    private ApiWrite metadataPatch() {
        var metadata = before.meta().locked();
        putChanges(metadata, "labels", before.meta().labels(), after.meta().labels());
        putChanges(
                metadata, "annotations", before.meta().annotations(), after.meta().annotations());
        return patch(Subresource.NONE, Tree.of("metadata", metadata));
    }

    private static void putChanges(
            Tree metadata, String field, Map<String, String> old, Map<String, String> wanted) {
        var changes = Tree.of();
        wanted.forEach(
                (key, value) -> {
                    if (!value.equals(old.get(key))) {
                        changes.put(key, value);
                    }
                });
        old.keySet().stream().filter(key -> !wanted.containsKey(key)).forEach(changes::putNothing);
        if (!changes.isEmpty()) {
            metadata.put(field, changes);
        }
    }

    private ApiWrite statusPatch(Meta version) {
        var old = before.status();
        var wanted = after.status();
        var status = Tree.of();
        putChange(status, "nodeName", old.nodeName(), wanted.nodeName());
        putChange(status, "providerID", old.providerId(), wanted.providerId());
        putChange(status, "imageID", old.imageId(), wanted.imageId());
        putChange(status, "capacity", old.capacity(), wanted.capacity());
        putChange(status, "allocatable", old.allocatable(), wanted.allocatable());
        if (wanted.lastPodEventAt() != null
                && !wanted.lastPodEventAt().equals(old.lastPodEventAt())) {
            status.put("lastPodEventTime", wanted.lastPodEventAt().toString());
        }
        if (!old.conditions().equals(wanted.conditions())) {
            status.put("conditions", after.conditions().value());
        }
        return patch(
                Subresource.STATUS, Tree.of("metadata", version.locked()).put("status", status));
    }

    private static void putChange(Tree status, String field, String old, String wanted) {
        if (!old.equals(wanted)) {
            status.put(field, wanted);
        }
    }

    private static void putChange(Tree status, String field, Resources old, Resources wanted) {
        if (old.equals(wanted)) {
            return;
        }
        var amounts = Tree.of();
        wanted.amounts()
                .forEach((name, amount) -> amounts.put(name, Resources.render(name, amount)));
        old.amounts().keySet().stream()
                .filter(name -> !wanted.has(name))
                .forEach(amounts::putNothing);
        status.put(field, amounts);
    }

    private ApiWrite patch(Subresource subresource, Tree body) {
        return new ApiWrite.Patch(
                ResourceType.NODE_CLAIM,
                before.name(),
                PatchKind.MERGE,
                subresource,
                body.mapping());
    }
}
