package dev.millwright.capi.controlplane;

import dev.millwright.kube.document.Field;
import dev.millwright.kube.document.Tree;

import org.jspecify.annotations.Nullable;

/// Where the API server of a cluster is. CAPT wrote the whole address into the host.
record Endpoint(String host, int port) {

    private static final int HTTPS = 443;

    /// Null where the text names no host.
    static @Nullable Endpoint of(String address) {
        var scheme = address.indexOf("://");
        var rest = scheme < 0 ? address : address.substring(scheme + 3);
        var slash = rest.indexOf('/');
        var authority = (slash < 0 ? rest : rest.substring(0, slash)).strip();
        var colon = authority.lastIndexOf(':');
        var hasPort = colon > 0 && authority.substring(colon + 1).matches("[0-9]{1,5}");
        var host = hasPort ? authority.substring(0, colon) : authority;
        var port = hasPort ? Integer.parseInt(authority.substring(colon + 1)) : HTTPS;
        return host.isEmpty() || port < 1 || port > 65_535 ? null : new Endpoint(host, port);
    }

    boolean isIn(Field spec) {
        var field = spec.at("controlPlaneEndpoint");
        return field.at("host").text("").equals(host)
                && field.at("port").whole(0, 65_535, 0) == port;
    }

    Tree spec() {
        return Tree.of(
                "spec", Tree.of("controlPlaneEndpoint", Tree.of("host", host).put("port", port)));
    }
}
