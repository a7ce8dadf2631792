package dev.millwright.dashboard.page;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millwright.dashboard.picture.PictureJson;

import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;

/// One watcher's server-sent events: the whole picture, then what changed since the last one that
/// was written. A watcher that reads slowly gets fewer and larger changes.
final class EventStream {

    /// After so long without news a comment is sent: a browser that has gone is only found out by
    /// writing to it.
    private static final Duration SILENCE_MAX = Duration.ofSeconds(10);

    /// No screen shows more, and a watcher's processor has other things to do.
    private static final Duration PAUSE = Duration.ofMillis(100);

    private final OutputStream out;
    private final PictureFeed feed;
    private final boolean isReadOnly;

    EventStream(OutputStream out, PictureFeed feed, boolean isReadOnly) {
        this.out = out;
        this.feed = feed;
        this.isReadOnly = isReadOnly;
    }

    void run() throws IOException, InterruptedException {
        var seen = feed.newest();
        write("event: picture\ndata: " + PictureJson.whole(seen.picture(), isReadOnly));
        while (!feed.isClosed()) {
            var next = feed.after(seen.number(), SILENCE_MAX);
            if (next != null) {
                write("event: change\ndata: " + PictureJson.change(seen.picture(), next.picture()));
                seen = next;
                Thread.sleep(PAUSE);
            } else if (!feed.isClosed()) {
                write(": still here");
            }
        }
        write("event: end\ndata: {}");
    }

    private void write(String event) throws IOException {
        out.write((event + "\n\n").getBytes(UTF_8));
        out.flush();
    }
}
