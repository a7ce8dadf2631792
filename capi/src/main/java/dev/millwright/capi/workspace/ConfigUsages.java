package dev.millwright.capi.workspace;

import dev.millwright.capi.object.CaptTypes;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.grant.ReferencePolicy.From;
import dev.millwright.kube.object.OwnerReference;
import dev.millwright.kube.object.RawObject;
import dev.millwright.runtime.step.Answers;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Step;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.regex.Pattern;

/// Which config a Workspace uses, and the object that says so.
final class ConfigUsages {

    private static final String DEFAULT = "default";
    private static final Pattern COMMA = Pattern.compile(",");

    private final WorkspaceKinds kinds;

    ConfigUsages(WorkspaceKinds kinds) {
        this.kinds = kinds;
    }

    private static String configName(RawObject workspace) {
        return workspace.spec().at("providerConfigRef").at("name").text(DEFAULT);
    }

    private @Nullable Kind<RawObject> configKind(RawObject workspace) {
        return kinds.config(workspace.spec().at("providerConfigRef").at("kind").text(""));
    }

    String describe(RawObject workspace) {
        var kind = configKind(workspace);
        return "%s %s"
                .formatted(
                        kind == null
                                ? workspace.spec().at("providerConfigRef").at("kind").text("")
                                : kind.type().kind(),
                        configName(workspace));
    }

    /// Whose credentials a config with a namespace may name.
    static From from(RawObject config) {
        var type = CaptTypes.NAMESPACED_PROVIDER_CONFIG.type();
        return new From(type.group(), type.kind(), config.name().namespace());
    }

    /// Why a Workspace of this namespace may not use the config; null when it may. A config without
    /// a namespace is everybody's, unless it says whose.
    static @Nullable String refusal(RawObject config, String namespace) {
        var allowed = config.meta().annotation(WorkspaceMarks.ALLOWED_NAMESPACES);
        if (allowed == null || namespace.isEmpty()) {
            return null;
        }
        return COMMA.splitAsStream(allowed).map(String::strip).anyMatch(namespace::equals)
                ? null
                : "ProviderConfig %s is not for namespace %s; add it to the annotation %s, or name another in providerConfigRef"
                        .formatted(
                                config.name().name(), namespace, WorkspaceMarks.ALLOWED_NAMESPACES);
    }

    @Nullable RawObject config(View view, RawObject workspace) {
        var kind = configKind(workspace);
        return kind == null ? null : view.cache(kind).find(key(kind, workspace));
    }

    private static ObjectName key(Kind<RawObject> kind, RawObject workspace) {
        return new ObjectName(
                kind.type().isNamespaced() ? workspace.name().namespace() : "",
                configName(workspace));
    }

    /// Whether the Workspace uses this config of this kind.
    boolean isUsed(Kind<RawObject> kind, ObjectName config, RawObject workspace) {
        return kind.equals(configKind(workspace)) && key(kind, workspace).equals(config);
    }

    /// The key of the config of this kind that the Workspace uses, none when it uses another kind.
    List<ObjectName> keys(Kind<RawObject> kind, RawObject workspace) {
        return kind.equals(configKind(workspace)) ? List.of(key(kind, workspace)) : List.of();
    }

    /// The write that tells of the usage; null when it is told, or the group has no such kind.
    @Nullable Effect missing(View view, RawObject workspace) {
        var usage = kinds.usage();
        if (usage == null) {
            return null;
        }
        var name = new ObjectName("", workspace.meta().uid());
        var config = configName(workspace);
        var found = view.cache(usage).find(name);
        if (found == null) {
            return new Effect.Write(
                    new ApiWrite.Create(usage.type(), "", body(usage, workspace).mapping()),
                    ConfigUsages::made);
        }
        if (found.root().at("providerConfigRef").at("name").text("").equals(config)) {
            return null;
        }
        return new Effect.Write(
                new ApiWrite.Patch(
                        usage.type(),
                        name,
                        ApiWrite.PatchKind.MERGE,
                        ApiWrite.Subresource.NONE,
                        Tree.of("providerConfigRef", Tree.of("name", config))
                                .put("metadata", Tree.of("labels", labels(config)))
                                .mapping()));
    }

    private static Step made(ApiAnswer answer) {
        return answer.isConflict() ? Step.DONE : Answers.usual(answer);
    }

    private Tree body(Kind<RawObject> usage, RawObject workspace) {
        var type = kinds.workspace().type();
        var config = configName(workspace);
        var owner =
                new OwnerReference(
                        type.apiVersion(),
                        type.kind(),
                        workspace.name().name(),
                        workspace.meta().uid(),
                        true,
                        true);
        return Tree.of("apiVersion", usage.type().apiVersion())
                .put("kind", usage.type().kind())
                .put(
                        "metadata",
                        Tree.of("name", workspace.meta().uid())
                                .put("labels", labels(config))
                                .putList("ownerReferences", List.of(owner.value())))
                .put("providerConfigRef", Tree.of("name", config))
                .put(
                        "resourceRef",
                        Tree.of("apiVersion", type.apiVersion())
                                .put("kind", type.kind())
                                .put("name", workspace.name().name())
                                .put("uid", workspace.meta().uid()));
    }

    private static Tree labels(String config) {
        return Tree.of(WorkspaceMarks.USED_CONFIG, config);
    }
}
