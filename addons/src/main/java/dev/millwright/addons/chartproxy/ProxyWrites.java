package dev.millwright.addons.chartproxy;

import dev.millwright.addons.object.AddonTypes;
import dev.millwright.addons.object.ReleaseProxy;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.object.Meta;
import dev.millwright.kube.object.OwnerReference;
import dev.millwright.kube.object.RawObject;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Step;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.function.Function;

/// Writes about release proxies, each of which tells its failure to a note and lets the others go
/// on.
final class ProxyWrites {

    /// Hears what went wrong with a cluster's proxy.
    @FunctionalInterface
    interface Failures {
        void note(String reason, String message);
    }

    private ProxyWrites() {}

    /// A write after which comes another step; where it fails, the note and nothing more. When
    /// somebody else was quicker, the whole look is done again.
    private static Step write(
            ApiWrite write, Failures failures, String reason, Function<Value.Mapping, Step> then) {
        return Step.of(
                new Effect.Write(
                        write,
                        answer -> {
                            if (answer instanceof ApiAnswer.Done(var object)) {
                                return then.apply(object);
                            }
                            return answer.isConflict()
                                    ? Step.RETRY
                                    : noted(answer, failures, reason);
                        }));
    }

    private static Step noted(ApiAnswer answer, Failures failures, String reason) {
        return Step.of(
                new Effect.Remember(
                        "a write that failed", () -> failures.note(reason, answer.explain())));
    }

    static Step create(ProxySpec spec, Values values, Failures failures, String reason) {
        return write(
                spec.create(values),
                failures,
                reason,
                object -> secret(spec, values, RawObject.of(object).meta(), failures, reason));
    }

    /// The Secret first: the proxy that names it is looked at as soon as it is written.
    static Step update(
            ProxySpec spec,
            Values values,
            ProxyChange.Update update,
            Failures failures,
            String reason) {
        var patch =
                new ApiWrite.Patch(
                        AddonTypes.RELEASE_PROXY.type(),
                        update.proxy().name(),
                        ApiWrite.PatchKind.MERGE,
                        ApiWrite.Subresource.NONE,
                        update.patch());
        return secret(spec, values, update.proxy().meta(), failures, reason)
                .followedBy(write(patch, failures, reason, _ -> Step.DONE));
    }

    private static Step secret(
            ProxySpec spec, Values values, Meta owner, Failures failures, String reason) {
        if (!(values instanceof Values.Secret(var text, _))) {
            return Step.DONE;
        }
        var data =
                Tree.of(
                        AddonTypes.VALUES_KEY,
                        Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8)));
        var name = new ObjectName(owner.name().namespace(), spec.secretName());
        var owners = List.of(owner(owner));
        var body =
                Tree.of("apiVersion", "v1")
                        .put("kind", "Secret")
                        .put(
                                "metadata",
                                Tree.of("name", name.name())
                                        .put("namespace", name.namespace())
                                        .putList("ownerReferences", owners))
                        .put("type", "Opaque")
                        .put("data", data)
                        .mapping();
        return Step.of(
                new Effect.Write(
                        new ApiWrite.Create(ResourceType.SECRET, name.namespace(), body),
                        answer -> {
                            if (answer.isConflict()) {
                                var patch = replacement(name, owners, data);
                                return write(patch, failures, reason, _ -> Step.DONE);
                            }
                            return answer.isDone() ? Step.DONE : noted(answer, failures, reason);
                        }));
    }

    private static ApiWrite replacement(ObjectName name, List<Value.Mapping> owners, Tree data) {
        return new ApiWrite.Patch(
                ResourceType.SECRET,
                name,
                ApiWrite.PatchKind.MERGE,
                ApiWrite.Subresource.NONE,
                Tree.of("metadata", Tree.of().putList("ownerReferences", owners))
                        .put("data", data)
                        .mapping());
    }

    private static Value.Mapping owner(Meta meta) {
        var type = AddonTypes.RELEASE_PROXY.type();
        return new OwnerReference(
                        type.apiVersion(), type.kind(), meta.name().name(), meta.uid(), true, true)
                .value();
    }

    static Step delete(ReleaseProxy proxy, Failures failures, String reason) {
        return Step.of(
                new Effect.Write(
                        new ApiWrite.Delete(
                                AddonTypes.RELEASE_PROXY.type(),
                                proxy.name(),
                                proxy.meta().uid(),
                                null),
                        answer ->
                                answer.isDone() || answer.isNotFound() || answer.isConflict()
                                        ? Step.DONE
                                        : noted(answer, failures, reason)));
    }
}
