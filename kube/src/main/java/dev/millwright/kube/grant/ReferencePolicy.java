package dev.millwright.kube.grant;

import dev.millwright.core.cluster.ObjectName;

import org.jspecify.annotations.Nullable;

/// Whether references from one namespace to another are followed. Who follows one acts with rights
/// that the writer of the reference may not have.
public interface ReferencePolicy {

    /// All of them are. For a management cluster whose namespaces trust each other.
    ReferencePolicy ANY = (_, _) -> null;

    /// What refers.
    ///
    /// @param namespace empty for an object that has none: whoever writes those administers the
    ///   cluster
    record From(String group, String kind, String namespace) {

        public boolean isForeign(To to) {
            return !namespace.isEmpty() && !namespace.equals(to.name().namespace());
        }
    }

    /// What is referred to.
    ///
    /// @param field that names it, for messages
    record To(String field, String group, String kind, ObjectName name) {}

    /// Why a reference is not followed.
    ///
    /// @param isSettled false where the grants could not be read: the next answer may be another,
    ///   and nothing may be given up for this one
    record Refusal(String message, boolean isSettled) {}

    /// Why it is not followed, with the way out; null when it is. Asks the API server only for
    /// references that leave their namespace.
    @Nullable Refusal judge(From from, To to);

    /// Of the first that is not followed.
    default @Nullable Refusal judge(From from, Iterable<To> all) {
        for (var to : all) {
            var refusal = judge(from, to);
            if (refusal != null) {
                return refusal;
            }
        }
        return null;
    }

    /// The words of [#judge].
    default @Nullable String refusal(From from, To to) {
        return words(judge(from, to));
    }

    default @Nullable String refusal(From from, Iterable<To> all) {
        return words(judge(from, all));
    }

    private static @Nullable String words(@Nullable Refusal refusal) {
        return refusal == null ? null : refusal.message();
    }
}
