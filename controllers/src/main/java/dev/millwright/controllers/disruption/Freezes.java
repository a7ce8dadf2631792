package dev.millwright.controllers.disruption;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.disruption.Command;
import dev.millwright.core.label.ControlKeys;
import dev.millwright.core.policy.Freeze;
import dev.millwright.kube.cache.Change;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.object.KubeObject;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Objects;

/// What is frozen now, by the objects that say so.
final class Freezes {

    private static final ObjectName NAMESPACE = new ObjectName("", ControlKeys.FREEZE_NAMESPACE);

    private Freezes() {}

    /// Of the whole cluster.
    static @Nullable Freeze ofCluster(View view) {
        var namespace =
                view.keeps(Kind.NAMESPACE) ? view.cache(Kind.NAMESPACE).find(NAMESPACE) : null;
        return namespace == null ? null : Freeze.ofCluster(namespace.meta().annotations());
    }

    /// What stands against the command: a freeze of the cluster, or of a pool it takes a node of.
    /// Nothing stands against a repair.
    static @Nullable Freeze against(View view, Command command) {
        if (!command.method().reason().isVoluntary()) {
            return null;
        }
        var ofCluster = ofCluster(view);
        if (ofCluster != null) {
            return ofCluster;
        }
        for (var candidate : command.candidates()) {
            var pool = view.pool(candidate.nodePool());
            var freeze =
                    pool == null
                            ? null
                            : Freeze.ofPool(candidate.nodePool(), pool.meta().annotations());
            if (freeze != null) {
                return freeze;
            }
        }
        return null;
    }

    /// What stands against the first of the commands that something stands against.
    static @Nullable Freeze against(View view, List<Command> commands) {
        for (var command : commands) {
            var freeze = against(view, command);
            if (freeze != null) {
                return freeze;
            }
        }
        return null;
    }

    /// Whether something was frozen or released: no pass may wait for its turn then.
    static boolean isNews(Change<? extends KubeObject> change) {
        return !Objects.equals(annotation(change.before()), annotation(change.after()));
    }

    private static @Nullable String annotation(@Nullable KubeObject object) {
        return object == null ? null : object.meta().annotation(ControlKeys.FREEZE);
    }
}
