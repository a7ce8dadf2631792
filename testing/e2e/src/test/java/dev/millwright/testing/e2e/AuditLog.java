package dev.millwright.testing.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millwright.kube.document.Faults;
import dev.millwright.kube.document.Field;
import dev.millwright.kube.document.JsonReader;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;

/// What the API server was asked, by whom, as it wrote it down itself.
///
/// A request is in it before its answer goes out, a watch when it begins, so that nobody has to
/// wait for the log.
public record AuditLog(Path file) {

    private static final Set<String> READING = Set.of("get", "list", "watch");

    /// What a request is about; all empty of one that is about no object, such as for the version.
    ///
    /// @param resource with its subresource, as roles have it
    public record Subject(String group, String resource, String namespace, String name) {}

    /// A kind of owner whose deletion waits for what was written.
    public record Blocked(String group, String kind) {}

    public record Caller(String user, String agent) {}

    /// One request.
    public record Request(
            String verb, Subject subject, String path, Caller caller, Outcome outcome) {

        public String resource() {
            return subject.resource().replaceFirst("/.*", "");
        }

        public String user() {
            return caller.user();
        }

        public String agent() {
            return caller.agent();
        }

        public int code() {
            return outcome.code();
        }

        /// Whether it could have changed anything, be it refused.
        public boolean isWrite() {
            return !READING.contains(verb);
        }
    }

    /// How a request ended, and which owners it made wait; the latter of the charts' accounts
    /// alone.
    public record Outcome(int code, List<Blocked> blocked) {
        public Outcome {
            blocked = List.copyOf(blocked);
        }
    }

    /// All requests so far, in the order they were answered.
    public List<Request> requests() {
        try (var lines = Files.lines(file, UTF_8)) {
            var requests = new LinkedHashMap<String, Request>();
            lines.map(AuditLog::event)
                    .forEach(
                            event ->
                                    requests.putIfAbsent(
                                            event.at("auditID").text(""), request(event)));
            return List.copyOf(requests.values());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static Field event(String line) {
        try {
            return Field.root("event", JsonReader.object(line.getBytes(UTF_8)), new Faults());
        } catch (IOException failure) {
            throw new UncheckedIOException(line, failure);
        }
    }

    private static Request request(Field event) {
        return new Request(
                event.at("verb").text(""),
                subject(event.at("objectRef")),
                event.at("requestURI").text(""),
                new Caller(
                        event.at("user").at("username").text(""), event.at("userAgent").text("")),
                new Outcome(
                        event.at("responseStatus").at("code").whole(0, 999, 0),
                        event
                                .at("requestObject")
                                .at("metadata")
                                .at("ownerReferences")
                                .elements()
                                .stream()
                                .filter(owner -> owner.at("blockOwnerDeletion").isTrue())
                                .map(AuditLog::blocked)
                                .toList()));
    }

    private static Subject subject(Field object) {
        var part = object.at("subresource").text("");
        return new Subject(
                object.at("apiGroup").text(""),
                object.at("resource").text("") + (part.isEmpty() ? "" : "/" + part),
                object.at("namespace").text(""),
                object.at("name").text(""));
    }

    private static Blocked blocked(Field owner) {
        var version = owner.at("apiVersion").text("");
        var slash = version.indexOf('/');
        return new Blocked(slash < 0 ? "" : version.substring(0, slash), owner.at("kind").text(""));
    }
}
