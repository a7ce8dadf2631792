package dev.millwright.dashboard.page;

import com.sun.net.httpserver.Headers;

import org.jspecify.annotations.Nullable;

import java.util.Locale;
import java.util.Set;

/// Keeps other web sites out. The page listens on this machine alone, yet a visitor's browser would
/// carry requests of any site to it: by a name that site makes point here, or by a form. So each
/// request must name us as its host, and what changes something must come from our own page.
record Guard(Set<String> hosts) {

    static Guard of(int port) {
        return new Guard(Set.of("127.0.0.1:" + port, "localhost:" + port, "[::1]:" + port));
    }

    /// Why the request is not answered; null if it is.
    @Nullable String objection(Headers headers) {
        var host = headers.getFirst("Host");
        if (host == null || !hosts.contains(host.toLowerCase(Locale.ROOT))) {
            return "the host is not ours; open the page by the address that was printed";
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
