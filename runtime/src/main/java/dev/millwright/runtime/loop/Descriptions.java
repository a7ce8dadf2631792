package dev.millwright.runtime.loop;

import dev.millwright.kube.client.ApiWrite;

/// Writes in words, without their bodies: those may hold what a log must not.
public final class Descriptions {

    private Descriptions() {}

    public static String of(ApiWrite write) {
        return switch (write) {
            case ApiWrite.Create(var type, var namespace, _) ->
                    "create %s%s".formatted(type, namespace.isEmpty() ? "" : " in " + namespace);
            case ApiWrite.Patch(var type, var name, _, var subresource, _) ->
                    "patch %s %s %s".formatted(type, name, subresource.path()).strip();
            case ApiWrite.Delete(var type, var name, _, _) -> "delete %s %s".formatted(type, name);
            case ApiWrite.Evict(var name, _) -> "evict pod %s".formatted(name);
        };
    }
}
