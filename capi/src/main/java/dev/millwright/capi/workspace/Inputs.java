package dev.millwright.capi.workspace;

import dev.millwright.core.cluster.ObjectName;

import java.util.Arrays;

/// What a Workspace and its config refer to: single values, each read when a run is ordered.
public interface Inputs {

    Answer read(Source source);

    sealed interface Source {

        record ConfigMapKey(ObjectName name, String key) implements Source {}

        record SecretKey(ObjectName name, String key) implements Source {}

        /// A variable of the manager's own environment.
        record Environment(String variable) implements Source {}

        /// A file that the manager can read.
        record File(String path) implements Source {}

        /// The address of what Flux fetched.
        record FluxArtifact(String kind, ObjectName name) implements Source {}

        default String describe() {
            return switch (this) {
                case ConfigMapKey(var name, var key) ->
                        "key \"%s\" of ConfigMap %s".formatted(key, name);
                case SecretKey(var name, var key) -> "key \"%s\" of Secret %s".formatted(key, name);
                case Environment(var variable) -> "environment variable " + variable;
                case File(var path) -> "file " + path;
                case FluxArtifact(var kind, var name) -> "artifact of %s %s".formatted(kind, name);
            };
        }

        /// What comes from elsewhere is nobody's secret.
        default boolean isSecret() {
            return switch (this) {
                case SecretKey _, Environment _, File _ -> true;
                case ConfigMapKey _, FluxArtifact _ -> false;
            };
        }
    }

    sealed interface Answer {

        /// Never printed.
        record Found(byte[] bytes) implements Answer {
            @Override
            public boolean equals(Object other) {
                return other instanceof Found(var theirs) && Arrays.equals(bytes, theirs);
            }

            @Override
            public int hashCode() {
                return Arrays.hashCode(bytes);
            }

            @Override
            public String toString() {
                return "found";
            }
        }

        record Missing(String why) implements Answer {}
    }
}
