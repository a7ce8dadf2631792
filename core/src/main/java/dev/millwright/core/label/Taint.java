package dev.millwright.core.label;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// A mark on a node that repels pods which do not tolerate it.
public record Taint(String key, String value, Effect effect) {

    /// Families of taints that a controller removes before the node is ready, by the prefix of
    /// their key.
    private static final String READINESS_PREFIX = "readiness.k8s.io/";

    /// On a new node until it has registered.
    public static final Taint UNREGISTERED =
            new Taint(LabelKeys.UNREGISTERED_TAINT, "", Effect.NO_EXECUTE);

    private static final List<Taint> EPHEMERAL =
            List.of(
                    new Taint("node.kubernetes.io/not-ready", "", Effect.NO_SCHEDULE),
                    new Taint("node.kubernetes.io/not-ready", "", Effect.NO_EXECUTE),
                    new Taint("node.kubernetes.io/unreachable", "", Effect.NO_SCHEDULE),
                    new Taint(
                            "node.cloudprovider.kubernetes.io/uninitialized",
                            "true",
                            Effect.NO_SCHEDULE),
                    UNREGISTERED);

    public static final Taint DISRUPTED =
            new Taint(LabelKeys.DISRUPTED_TAINT, "", Effect.NO_SCHEDULE);

    /// On a node from the decision to reboot it until it has booted.
    public static final Taint REBOOTING =
            new Taint(LabelKeys.REBOOTING_TAINT, "", Effect.NO_SCHEDULE);

    /// On a node that is to run empty. Only the scheduler heeds it: the node's room is as good as
    /// any.
    public static final Taint STEERED_AWAY =
            new Taint(ControlKeys.STEERED, "", Effect.PREFER_NO_SCHEDULE);

    /// Two taints are the same mark when key and effect agree, whatever the value.
    public boolean matches(Taint other) {
        return key.equals(other.key) && effect == other.effect;
    }

    /// Whether the taint is expected to vanish while a new node comes up.
    public boolean isEphemeral() {
        return key.startsWith(READINESS_PREFIX) || EPHEMERAL.stream().anyMatch(this::matches);
    }

    /// The first of the taints that none of the tolerations covers, or null.
    public static @Nullable Taint firstUntolerated(
            List<Taint> taints, List<Toleration> tolerations) {
        for (var taint : taints) {
            if (tolerations.stream().noneMatch(toleration -> toleration.tolerates(taint))) {
                return taint;
            }
        }
        return null;
    }

    @Override
    public String toString() {
        return value.isEmpty()
                ? key + ":" + effect.text()
                : key + "=" + value + ":" + effect.text();
    }
}
