package dev.millwright.capi.workspace;

import dev.millwright.capi.object.CaptTypes;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.object.RawObject;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// One of the two groups that Workspaces come in, and what they refer to there.
///
/// @param usage null where the group has no objects that say who uses a config
public record WorkspaceKinds(
        String controller,
        Kind<RawObject> workspace,
        List<Kind<RawObject>> configs,
        @Nullable Kind<RawObject> usage) {

    public static final WorkspaceKinds CLUSTER_SCOPED =
            new WorkspaceKinds(
                    "workspace",
                    CaptTypes.WORKSPACE,
                    List.of(CaptTypes.PROVIDER_CONFIG),
                    CaptTypes.PROVIDER_CONFIG_USAGE);

    public static final WorkspaceKinds NAMESPACED =
            new WorkspaceKinds(
                    "workspace.namespaced",
                    CaptTypes.NAMESPACED_WORKSPACE,
                    List.of(
                            CaptTypes.CLUSTER_PROVIDER_CONFIG,
                            CaptTypes.NAMESPACED_PROVIDER_CONFIG),
                    null);

    public WorkspaceKinds {
        configs = List.copyOf(configs);
    }

    public boolean isNamespaced() {
        return workspace.type().isNamespaced();
    }

    /// The kind of config that a reference names; the first one where it names none. Null where
    /// there is no such kind.
    @Nullable Kind<RawObject> config(String kind) {
        if (kind.isEmpty()) {
            return configs.getFirst();
        }
        for (var each : configs) {
            if (each.type().kind().equals(kind)) {
                return each;
            }
        }
        return null;
    }
}
