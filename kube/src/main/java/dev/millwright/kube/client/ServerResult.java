package dev.millwright.kube.client;

import dev.millwright.kube.document.JsonReader;
import dev.millwright.kube.document.Shortened;
import dev.millwright.kube.document.Value;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;

/// What came of one request, before it is told in the words of the port.
sealed interface ServerResult<T> {

    record Good<T>(T value) implements ServerResult<T> {}

    /// `retryAfter` is null where the server named none.
    record Refusal<T>(ApiAnswer.Refused refused, @Nullable Duration retryAfter)
            implements ServerResult<T> {}

    record Broken<T>(String message) implements ServerResult<T> {}

    /// Bytes of a refusal that are read; a Status is far shorter.
    int REFUSAL_BYTES_MAX = 1 << 20;

    /// The Status object's words; those of a proxy in between where it is none.
    static <T> Refusal<T> refusal(Wire.Reply reply) throws IOException {
        var bytes = reply.body().readNBytes(REFUSAL_BYTES_MAX);
        var after = retryAfter(reply);
        try {
            var status = JsonReader.object(bytes);
            return new Refusal<>(
                    new ApiAnswer.Refused(
                            reply.code(), text(status, "reason"), text(status, "message")),
                    after);
        } catch (IOException notJson) {
            var words = new String(bytes, StandardCharsets.UTF_8).strip();
            return new Refusal<>(
                    new ApiAnswer.Refused(reply.code(), "", Shortened.of(words)), after);
        }
    }

    private static String text(Value.Mapping status, String field) {
        return Objects.requireNonNullElse(status.text(field), "");
    }

    /// In seconds; HTTP allows a date too, which API servers do not send.
    private static @Nullable Duration retryAfter(Wire.Reply reply) {
        var text = reply.retryAfter();
        if (text == null || (reply.code() != 429 && reply.code() < 500)) {
            return null;
        }
        try {
            return Duration.ofSeconds(Math.max(0, Integer.parseInt(text.strip())));
        } catch (NumberFormatException notSeconds) {
            return null;
        }
    }
}
