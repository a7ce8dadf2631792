package dev.millwright.runtime.probe;

import com.sun.net.httpserver.HttpExchange;

import org.jspecify.annotations.Nullable;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// What of an HTTP request our routes read.
record Request(String path, Map<String, List<String>> query, @Nullable String accepted) {

    static Request of(HttpExchange exchange) {
        var uri = exchange.getRequestURI();
        var query = new TreeMap<String, List<String>>();
        var raw = uri.getRawQuery();
        for (var part : raw == null ? new String[0] : raw.split("&", -1)) {
            var equals = part.indexOf('=');
            var name = equals < 0 ? part : part.substring(0, equals);
            var value = equals < 0 ? "" : part.substring(equals + 1);
            query.computeIfAbsent(decoded(name), _ -> new ArrayList<>()).add(decoded(value));
        }
        return new Request(uri.getPath(), query, exchange.getRequestHeaders().getFirst("Accept"));
    }

    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException notEncoded) {
            return text;
        }
    }

    List<String> values(String name) {
        return query.getOrDefault(name, List.of());
    }
}
