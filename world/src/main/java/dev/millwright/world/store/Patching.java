package dev.millwright.world.store;

import dev.millwright.kube.client.ApiAnswer.Refused;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.tree.JsonPatch;
import dev.millwright.kube.tree.MergePatch;
import dev.millwright.kube.tree.StrategicPatch;
import dev.millwright.kube.tree.Trees;

import java.util.List;
import java.util.Objects;

/// What an object would be after a patch. It changes nothing itself.
final class Patching {

    sealed interface Outcome {
        record Refusal(Refused refused) implements Outcome {}

        record Patched(Value.Mapping wanted) implements Outcome {}
    }

    private Patching() {}

    static Outcome of(Value.Mapping before, ApiWrite.Patch patch) {
        var body = Trees.bare(patch.body());
        return switch (patch.kind()) {
            case MERGE ->
                    body instanceof Value.Mapping merge
                            ? new Outcome.Patched(MergePatch.apply(before, merge))
                            : unreadable(body);
            case STRATEGIC ->
                    body instanceof Value.Mapping merge
                            ? new Outcome.Patched(StrategicPatch.apply(before, merge))
                            : unreadable(body);
            case JSON ->
                    body instanceof Value.Sequence(_, var operations)
                            ? json(before, operations)
                            : unreadable(body);
        };
    }

    private static Outcome json(Value.Mapping before, List<Value> operations) {
        try {
            return new Outcome.Patched(JsonPatch.apply(before, operations));
        } catch (JsonPatch.Unprocessable failure) {
            var why = Objects.requireNonNullElse(failure.getMessage(), "");
            return new Outcome.Refusal(new Refused(422, "Invalid", why));
        }
    }

    private static Outcome unreadable(Value body) {
        return new Outcome.Refusal(
                Refusals.badRequest("a patch cannot be %s".formatted(body.describe())));
    }
}
