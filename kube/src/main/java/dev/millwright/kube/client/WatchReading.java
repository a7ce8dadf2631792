package dev.millwright.kube.client;

import dev.millwright.kube.client.KubeApi.WatchEnd;
import dev.millwright.kube.client.KubeApi.WatchEvent;
import dev.millwright.kube.client.KubeApi.WatchSink;
import dev.millwright.kube.document.JsonReader;
import dev.millwright.kube.document.Value;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;

/// Reads the events of a watch and hands them on until one of the two sides has enough.
final class WatchReading {

    private final ApiCall call;
    private final RequestObserver observer;

    WatchReading(ApiCall call, RequestObserver observer) {
        this.call = call;
        this.observer = observer;
    }

    /// @throws IOException when the stream breaks or is cut inside an event
    WatchEnd read(InputStream body, WatchSink sink) throws IOException {
        try (var reader = new JsonReader(body)) {
            while (true) {
                var line = reader.next();
                if (line == null) {
                    return WatchEnd.CLOSED;
                }
                var object = line.fields().get("object");
                var type = line.text("type");
                if (type == null || !(object instanceof Value.Mapping about)) {
                    throw new IOException("an event lacks its type or its object");
                }
                if (type.equals("ERROR")) {
                    return error(about);
                }
                var event = event(type, about);
                if (event != null && !sink.accept(event)) {
                    return WatchEnd.CLOSED;
                }
            }
        }
    }

    /// Null for a type that a later server may have and we do not know.
    private static @Nullable WatchEvent event(String type, Value.Mapping object) {
        return switch (type) {
            case "ADDED", "MODIFIED" -> new WatchEvent.Put(object);
            case "DELETED" -> new WatchEvent.Removed(object);
            case "BOOKMARK" -> new WatchEvent.Bookmark(Metadata.text(object, "resourceVersion"));
            default -> null;
        };
    }

    private WatchEnd error(Value.Mapping status) {
        if (status.fields().get("code") instanceof Value.Numeral(_, var code)
                && code.equals("410")) {
            return WatchEnd.EXPIRED;
        }
        observer.broke(
                call,
                "the server ended the watch: "
                        + Objects.requireNonNullElse(status.text("message"), "no reason"));
        return WatchEnd.FAILED;
    }
}
