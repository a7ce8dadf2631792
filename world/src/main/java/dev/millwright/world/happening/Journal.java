package dev.millwright.world.happening;

import dev.millwright.kube.document.Value;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.function.Consumer;

/// A world's log: a line for each thing that happened, and the digest of all lines. Two runs are
/// the same when their digests are.
public final class Journal implements Witness {

    private final MessageDigest digest;
    private final Consumer<String> lines;
    private long count;

    /// `lines` is told each line.
    public Journal(Consumer<String> lines) {
        this.lines = lines;
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException absent) {
            throw new IllegalStateException("every JDK has SHA-256", absent);
        }
    }

    @Override
    public void saw(Happening happening) {
        var line = happening.at() + " " + text(happening);
        digest.update(line.getBytes(StandardCharsets.UTF_8));
        digest.update((byte) '\n');
        count++;
        lines.accept(line);
    }

    public long count() {
        return count;
    }

    /// Of all lines; the journal is closed by it.
    public String digest() {
        return HexFormat.of().formatHex(digest.digest());
    }

    static String text(Happening happening) {
        return switch (happening) {
            case Happening.Changed(_, var by, var type, var before, var after) ->
                    by
                            + (before == null
                                    ? " made "
                                    : after == null ? " removed " : " changed ")
                            + type
                            + " "
                            + object(before, after);
            case Happening.Evicted(_, var by, var pod, _, var answer) ->
                    "%s asked for the eviction of %s: %s".formatted(by, pod, answer.explain());
            case Happening.Asked(_, var by, var call, var claim, var uid, var answer) ->
                    "%s asked the cloud to %s %s %s: %s".formatted(by, call, claim, uid, answer);
            case Happening.Started(_, var machine, var claim) ->
                    "machine %s started for %s %s"
                            .formatted(machine.providerId(), claim.name(), machine.labels());
            case Happening.Noticed(_, var id, var endsAt) ->
                    "machine %s will be taken back at %s".formatted(id, endsAt);
            case Happening.Stopped(_, var id, var cause) ->
                    "machine %s stopped: %s".formatted(id, cause);
            case Happening.Led(_, var replica, var leads) ->
                    "%s %s".formatted(replica, leads ? "leads" : "leads no more");
            case Happening.Acted(_, var replica, var controller, var what) ->
                    replica + "/" + controller + " sent: " + what;
            case Happening.Said(_, var replica, var level, var message, var keyValues) ->
                    "%s said %s: %s %s".formatted(replica, level, message, keyValues);
            case Happening.Decided(_, var replica, var deliberation) ->
                    "%s decided %s".formatted(replica, deliberation.summary());
            case Happening.Published(_, var replica, var event) ->
                    "%s told of %s %s: %s: %s"
                            .formatted(
                                    replica,
                                    event.subject().kind(),
                                    event.subject().name(),
                                    event.reason(),
                                    event.message());
            case Happening.Struck(_, var fault, var what) -> "fault %s: %s".formatted(fault, what);
        };
    }

    /// Its name and version, and a number that stands for all it holds.
    private static String object(Value.@Nullable Mapping before, Value.@Nullable Mapping after) {
        var object = after == null ? before : after;
        if (object == null
                || !(object.fields().get("metadata") instanceof Value.Mapping metadata)) {
            return "";
        }
        var namespace = metadata.text("namespace");
        return (namespace == null ? "" : namespace + "/")
                + metadata.text("name")
                + " @"
                + metadata.text("resourceVersion")
                + " #"
                + Integer.toHexString(object.hashCode());
    }
}
