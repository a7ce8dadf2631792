package dev.millwright.kube.client;

import dev.millwright.core.cluster.ObjectName;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/// Where on the server a resource, an object or a part of one is.
final class ResourcePath {

    private ResourcePath() {}

    /// An empty namespace means all of them, as does one for what has none.
    static String of(ResourceType type, String namespace) {
        var path =
                new StringBuilder(
                        type.group().isEmpty() ? "/api/" : "/apis/" + encoded(type.group()) + "/");
        path.append(encoded(type.version()));
        if (type.isNamespaced() && !namespace.isEmpty()) {
            path.append("/namespaces/").append(encoded(namespace));
        }
        return path.append('/').append(encoded(type.plural())).toString();
    }

    static String of(ResourceType type, ObjectName name, String subresource) {
        if (name.name().isEmpty() || (type.isNamespaced() && name.namespace().isEmpty())) {
            throw new IllegalArgumentException(
                    "%s \"%s\" names no single object".formatted(type, name));
        }
        var path = of(type, name.namespace()) + "/" + encoded(name.name());
        return subresource.isEmpty() ? path : path + "/" + subresource;
    }

    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
