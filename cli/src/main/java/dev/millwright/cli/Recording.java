package dev.millwright.cli;

import dev.millwright.controllers.metrics.OwnFamilies;
import dev.millwright.controllers.settings.Settings;
import dev.millwright.core.deliberation.Deliberation;
import dev.millwright.kube.record.RecordFolder;
import dev.millwright.kube.record.Recorder;
import dev.millwright.runtime.log.Log;
import dev.millwright.runtime.metrics.Meter;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Consumer;

/// The operator's recorder, and who hears of what it leaves out.
final class Recording implements Recorder.Ear {

    /// A line of the log for the first decision that is missed, and for every so many after it.
    private static final long TOLD_EVERY = 1_000;

    private final Log log;
    private volatile @Nullable Meter meter;
    private long missed;

    Recording(Log log) {
        this.log = log;
    }

    /// Takes decisions until it is closed; where none are recorded it forgets them.
    interface Open extends Consumer<Deliberation>, AutoCloseable {
        @Override
        void close();
    }

    Open open(Settings.Recording settings, InstantSource clock) {
        if (!settings.isOn()) {
            return new Off();
        }
        var folder =
                new RecordFolder(
                        new RecordFolder.Settings(
                                Path.of(settings.folder()),
                                settings.bytesMax(),
                                RootCommand.Version.text()),
                        clock);
        log.info("recording decisions", "directory", settings.folder());
        return new On(Recorder.start(folder, clock, this));
    }

    private record Off() implements Open {
        @Override
        public void accept(Deliberation deliberation) {
            // Nobody wants it.
        }

        @Override
        public void close() {
            // Nothing is open.
        }
    }

    private record On(Recorder recorder) implements Open {
        @Override
        public void accept(Deliberation deliberation) {
            recorder.accept(deliberation);
        }

        @Override
        public void close() {
            recorder.close();
        }
    }

    /// What is missed before this is only logged.
    void countBy(Meter counting) {
        meter = counting;
    }

    @Override
    public void missed(long decisions) {
        var counting = meter;
        if (counting != null) {
            counting.count(OwnFamilies.RECORD_MISSED, (double) decisions, List.of());
        }
        if (isTold(decisions)) {
            log.info(
                    "decisions are not recorded; recording cannot keep up or failed",
                    "missed",
                    missed);
        }
    }

    private synchronized boolean isTold(long decisions) {
        var before = missed;
        missed += decisions;
        return before == 0 || before / TOLD_EVERY != missed / TOLD_EVERY;
    }

    @Override
    public void failed(String why) {
        log.error("recording failed; it is tried again in a minute", "error", why);
    }
}
