package dev.millwright.capi.workspace;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millwright.capi.port.Secrets;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.JsonWriter;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.object.OwnerReference;
import dev.millwright.kube.object.RawObject;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Step;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;

/// The secret that holds all outputs of a Workspace. It is merged, so that an output that is gone
/// leaves its key, and never taken from somebody else.
final class ConnectionSecret {

    static final String TYPE = "connection.crossplane.io/v1alpha1";

    private final ObjectName name;
    private final OwnerReference owner;
    private final SequencedMap<String, byte[]> data;

    private ConnectionSecret(
            ObjectName name, OwnerReference owner, SequencedMap<String, byte[]> data) {
        this.name = name;
        this.owner = owner;
        this.data = data;
    }

    /// Null where the Workspace asks for none.
    static @Nullable ConnectionSecret of(
            Kind<RawObject> kind,
            RawObject workspace,
            SequencedMap<String, RunOutcome.Output> outputs) {
        var reference = workspace.spec().at("writeConnectionSecretToRef");
        var name = reference.at("name").text("");
        if (name.isEmpty()) {
            return null;
        }
        var data = new TreeMap<String, byte[]>();
        outputs.forEach((key, output) -> data.put(key, bytes(output.value())));
        var type = kind.type();
        var own = workspace.name().namespace();
        return new ConnectionSecret(
                new ObjectName(own.isEmpty() ? reference.at("namespace").text("") : own, name),
                new OwnerReference(
                        type.apiVersion(),
                        type.kind(),
                        workspace.name().name(),
                        workspace.meta().uid(),
                        true,
                        true),
                data);
    }

    private static byte[] bytes(Value value) {
        return value instanceof Value.Text(_, var text)
                ? text.getBytes(UTF_8)
                : JsonWriter.bytes(value);
    }

    ObjectName name() {
        return name;
    }

    /// Why it cannot be written, null when it can.
    @Nullable String refusal(Secrets.Answer found) {
        return switch (found) {
            case Secrets.Answer.Missing() -> null;
            case Secrets.Answer.Failed(var message) ->
                    "connection secret %s cannot be read: %s".formatted(name, message);
            case Secrets.Answer.Found secret -> refusal(secret);
        };
    }

    private @Nullable String refusal(Secrets.Answer.Found secret) {
        for (var each : secret.meta().owners()) {
            if (each.isController()) {
                return each.uid().equals(owner.uid())
                        ? null
                        : "connection secret %s belongs to %s %s; name another, or remove it"
                                .formatted(name, each.kind(), each.name());
            }
        }
        return secret.type().equals(TYPE)
                ? null
                : "connection secret %s has the type %s, not %s; name another, or remove it"
                        .formatted(name, secret.type(), TYPE);
    }

    /// The write that is needed, done when none is.
    Step write(Secrets.Answer found) {
        return switch (found) {
            case Secrets.Answer.Missing() -> Step.of(new Effect.Write(create()));
            case Secrets.Answer.Failed(var message) -> Step.failed(message);
            case Secrets.Answer.Found secret ->
                    isWritten(secret) ? Step.DONE : Step.of(new Effect.Write(change(secret)));
        };
    }

    private boolean isWritten(Secrets.Answer.Found secret) {
        return secret.meta().owners().stream().anyMatch(each -> each.uid().equals(owner.uid()))
                && data.entrySet().stream()
                        .allMatch(
                                entry ->
                                        Arrays.equals(
                                                entry.getValue(),
                                                secret.data().get(entry.getKey())));
    }

    private ApiWrite create() {
        return new ApiWrite.Create(
                ResourceType.SECRET,
                name.namespace(),
                Tree.of("apiVersion", "v1")
                        .put("kind", "Secret")
                        .put(
                                "metadata",
                                Tree.of("name", name.name())
                                        .put("namespace", name.namespace())
                                        .putList("ownerReferences", owners()))
                        .put("type", TYPE)
                        .put("data", encoded())
                        .mapping());
    }

    private ApiWrite change(Secrets.Answer.Found secret) {
        var metadata = secret.meta().locked();
        if (secret.meta().owners().stream().noneMatch(each -> each.uid().equals(owner.uid()))) {
            var all = new ArrayList<Value>();
            secret.meta().owners().forEach(each -> all.add(each.value()));
            all.add(owner.value());
            metadata.putList("ownerReferences", all);
        }
        return new ApiWrite.Patch(
                ResourceType.SECRET,
                name,
                ApiWrite.PatchKind.MERGE,
                ApiWrite.Subresource.NONE,
                Tree.of("metadata", metadata).put("data", encoded()).mapping());
    }

    private List<Value> owners() {
        return List.of(owner.value());
    }

    private Value.Mapping encoded() {
        var tree = Tree.of();
        data.forEach((key, bytes) -> tree.put(key, Base64.getEncoder().encodeToString(bytes)));
        return tree.mapping();
    }
}
