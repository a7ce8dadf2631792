package dev.millwright.dashboard.page;

import com.sun.net.httpserver.Headers;

import org.jspecify.annotations.Nullable;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/// Keeps other web sites out. Whatever a page listens on, a visitor's browser would carry requests
/// of any site to it: by a name that site makes point here, or by a form. So each request must name
/// us as its host, and what changes something must come from our own page.
///
/// With `isInCluster` we are known by names that we cannot list: those of a Service, or of a
/// forwarded port. What a site on the internet has is a name with dots that is none of a cluster;
/// such a name is refused, and a proxy that has one must send ours.
record Guard(Set<String> hosts, boolean isInCluster) {

    /// Addresses, in brackets or not, and their port.
    private static final Pattern ADDRESS =
            Pattern.compile("(\\[[0-9a-f:.]+]|[0-9]+(\\.[0-9]+){3})(:[0-9]+)?");

    private static final Pattern CLUSTER_NAME =
            Pattern.compile("([a-z0-9-]+|[a-z0-9.-]+\\.svc(\\.cluster\\.local)?)(:[0-9]+)?");

    static Guard of(int port) {
        return new Guard(Set.of("127.0.0.1:" + port, "localhost:" + port, "[::1]:" + port), false);
    }

    static Guard inCluster() {
        return new Guard(Set.of(), true);
    }

    private boolean isOurs(String host) {
        return hosts.contains(host)
                || (isInCluster
                        && (ADDRESS.matcher(host).matches()
                                || CLUSTER_NAME.matcher(host).matches()));
    }

    /// Why the request is not answered; null if it is.
    @Nullable String objection(Headers headers) {
        var host = headers.getFirst("Host");
        if (host == null || !isOurs(host.toLowerCase(Locale.ROOT))) {
            return isInCluster
                    ? "the host \"%s\" is not ours; open the page by a forwarded port, by the Service's name, or by a proxy that sends that name"
                            .formatted(host)
                    : "the host is not ours; open the page by the address that was printed";
        }
        var origin = headers.getFirst("Origin");
        if (origin != null && !origin.equals("http://" + host.toLowerCase(Locale.ROOT))) {
            return "the request comes from another site";
        }
        var site = headers.getFirst("Sec-Fetch-Site");
        if (site != null && !site.equals("same-origin") && !site.equals("none")) {
            return "the request comes from another site";
        }
        return null;
    }

    /// Why a request to change something is not carried out; null if it is. A form of another site
    /// cannot send this content type without asking first, and we never allow it.
    @Nullable String objectionToChange(Headers headers) {
        var type = headers.getFirst("Content-Type");
        var isJson =
                type != null && type.split(";", 2)[0].strip().equalsIgnoreCase("application/json");
        return isJson ? objection(headers) : "the content type must be application/json";
    }
}
