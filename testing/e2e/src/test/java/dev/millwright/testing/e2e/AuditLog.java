package dev.millwright.testing.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millwright.kube.document.JsonReader;
import dev.millwright.kube.document.Value;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/// What the API server was asked, by whom, as it wrote it down itself.
///
/// A request is in it before its answer goes out, so that nobody has to wait for the log; only a
/// watch is in it when it ends.
public record AuditLog(Path file) {

    private static final Set<String> READING = Set.of("get", "list", "watch");

    /// One request. `resource` is empty of one that is about none, such as for the version.
    public record Request(
            String verb, String resource, String path, String user, String agent, int code) {

        /// Whether it could have changed anything, be it refused.
        public boolean isWrite() {
            return !READING.contains(verb);
        }
    }

    /// All requests so far, in the order they were answered.
    public List<Request> requests() {
        try (var lines = Files.lines(file, UTF_8)) {
            return lines.map(AuditLog::request).toList();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static Request request(String line) {
        try {
            var event = JsonReader.object(line.getBytes(UTF_8));
            return new Request(
                    text(event, "verb"),
                    text(event.fields().get("objectRef"), "resource"),
                    text(event, "requestURI"),
                    text(event.fields().get("user"), "username"),
                    text(event, "userAgent"),
                    code(event.fields().get("responseStatus")));
        } catch (IOException failure) {
            throw new UncheckedIOException(line, failure);
        }
    }

    private static String text(@Nullable Value value, String field) {
        var found = value instanceof Value.Mapping mapping ? mapping.text(field) : null;
        return found == null ? "" : found;
    }

    private static int code(@Nullable Value status) {
        return status instanceof Value.Mapping mapping
                        && mapping.fields().get("code") instanceof Value.Numeral(_, var text)
                ? Integer.parseInt(text)
                : 0;
    }
}
