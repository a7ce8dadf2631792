package dev.millwright.world.http;

import com.sun.net.httpserver.HttpExchange;

import dev.millwright.kube.document.DocumentException;
import dev.millwright.kube.document.DocumentReader;
import dev.millwright.kube.document.Source;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/// What a client sent.
record Request(
        String method,
        String path,
        Map<String, String> parameters,
        String contentType,
        String accept,
        byte[] bytes) {

    /// Bytes of a body, as a real server bounds them.
    private static final int BYTES_MAX = 3 << 20;

    static Request of(HttpExchange exchange) throws IOException {
        var headers = exchange.getRequestHeaders();
        var type = Objects.requireNonNullElse(headers.getFirst("Content-Type"), "");
        return new Request(
                exchange.getRequestMethod(),
                exchange.getRequestURI().getPath(),
                parameters(exchange.getRequestURI().getRawQuery()),
                type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT),
                Objects.requireNonNullElse(headers.getFirst("Accept"), ""),
                exchange.getRequestBody().readNBytes(BYTES_MAX));
    }

    private static Map<String, String> parameters(@Nullable String query) {
        var parameters = new TreeMap<String, String>();
        for (var part : (query == null ? "" : query).split("&", -1)) {
            var sides = part.split("=", 2);
            if (!sides[0].isEmpty()) {
                parameters.put(decoded(sides[0]), sides.length > 1 ? decoded(sides[1]) : "");
            }
        }
        return parameters;
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }

    String parameter(String name) {
        return parameters.getOrDefault(name, "");
    }

    boolean has(String name) {
        var value = parameter(name);
        return value.equals("true") || value.equals("1");
    }

    /// Whether the client would rather have rows to print than objects.
    boolean wantsTable() {
        return accept.contains("as=Table");
    }

    /// The body as a tree; an empty mapping where there is none.
    ///
    /// @throws DocumentException when it is neither JSON nor YAML
    Value body() {
        if (bytes.length == 0) {
            return Tree.of().mapping();
        }
        var documents = DocumentReader.readAll(Source.bytes("body", bytes));
        return documents.isEmpty() ? Tree.of().mapping() : documents.getFirst();
    }

    /// An empty mapping where the body is something else.
    Value.Mapping object() {
        return body() instanceof Value.Mapping mapping ? mapping : Tree.of().mapping();
    }
}
