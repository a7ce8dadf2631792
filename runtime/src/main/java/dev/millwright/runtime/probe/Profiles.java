package dev.millwright.runtime.probe;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.HotSpotDiagnosticMXBean.ThreadDumpFormat;

import jdk.jfr.Configuration;
import jdk.jfr.Recording;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.text.ParseException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import javax.management.JMException;
import javax.management.ObjectName;

/// Profiles under the paths where Go's stand, with what Java has in their place.
final class Profiles {

    static final String PATH = "/debug/pprof";

    /// A recording longer than this belongs to a tool of its own.
    private static final int SECONDS_MAX = 120;

    private static final int PROFILE_SECONDS_DEFAULT = 30;
    private static final int TRACE_SECONDS_DEFAULT = 1;

    /// Recordings at once: each costs memory and time of what it measures.
    private static final int RECORDINGS_MAX = 1;

    /// Events that hold the environment, where credentials are, and the arguments of all processes
    /// of the pod.
    private static final List<String> UNSHOWN =
            List.of(
                    "jdk.InitialEnvironmentVariable",
                    "jdk.InitialSystemProperty",
                    "jdk.JVMInformation",
                    "jdk.SystemProcess");

    private static final String INDEX =
            """
            allocs        objects of the heap by class
            block         threads that wait for a lock, and for which
            cmdline       arguments of this process
            goroutine     stacks of all threads, virtual ones included
            heap          objects of the heap by class
            profile       flight recording, ?seconds=30; read it with jfr or JDK Mission Control
            symbol        not served: a recording brings its symbols along
            threadcreate  stacks of all threads, virtual ones included
            trace         flight recording, ?seconds=1
            """;

    private final Semaphore recordings = new Semaphore(RECORDINGS_MAX);

    Answer answer(Request request) {
        try {
            return switch (request.path().substring(PATH.length())) {
                case "", "/" -> Answer.text(Answer.OK, INDEX);
                case "/cmdline" -> Answer.text(Answer.OK, commandLine());
                case "/goroutine", "/threadcreate" -> Answer.text(Answer.OK, threads());
                case "/heap", "/allocs" -> Answer.text(Answer.OK, histogram());
                case "/block" -> Answer.text(Answer.OK, blocked());
                case "/profile" -> recording(request, PROFILE_SECONDS_DEFAULT);
                case "/trace" -> recording(request, TRACE_SECONDS_DEFAULT);
                default -> Answer.text(Answer.NOT_FOUND, INDEX);
            };
        } catch (IOException | JMException | ParseException failure) {
            return Answer.text(Answer.FAILED, "%s\n".formatted(failure));
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return Answer.text(Answer.BUSY, "the process is stopping\n");
        }
    }

    private static String commandLine() {
        var runtime = ManagementFactory.getRuntimeMXBean();
        var command = System.getProperty("sun.java.command", "");
        return Stream.concat(
                        Stream.concat(Stream.of("java"), runtime.getInputArguments().stream()),
                        Stream.of(command))
                .collect(Collectors.joining(" ", "", "\n"));
    }

    private static String threads() throws IOException {
        var folder = Files.createTempDirectory("millwright-threads");
        var file = folder.resolve("dump.txt");
        try {
            ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                    .dumpThreads(file.toAbsolutePath().toString(), ThreadDumpFormat.TEXT_PLAIN);
            return Files.readString(file);
        } finally {
            Files.deleteIfExists(file);
            Files.delete(folder);
        }
    }

    private static String histogram() throws JMException {
        var answer =
                ManagementFactory.getPlatformMBeanServer()
                        .invoke(
                                new ObjectName("com.sun.management:type=DiagnosticCommand"),
                                "gcClassHistogram",
                                new Object[] {new String[0]},
                                new String[] {String[].class.getName()});
        return String.valueOf(answer);
    }

    private static String blocked() {
        var threads = ManagementFactory.getThreadMXBean().dumpAllThreads(true, true);
        return Stream.of(threads)
                .filter(thread -> thread.getLockInfo() != null)
                .map(
                        thread ->
                                "%s %s on %s held by %s\n"
                                        .formatted(
                                                thread.getThreadName(),
                                                thread.getThreadState(),
                                                thread.getLockName(),
                                                thread.getLockOwnerName()))
                .collect(Collectors.joining());
    }

    private Answer recording(Request request, int secondsDefault)
            throws IOException, ParseException, InterruptedException {
        var seconds = seconds(request.values("seconds"), secondsDefault);
        if (seconds < 0) {
            return Answer.text(
                    Answer.NOT_FOUND, "wanted seconds from 0 to %d\n".formatted(SECONDS_MAX));
        }
        if (!recordings.tryAcquire()) {
            return Answer.text(Answer.BUSY, "a recording is being made; come again later\n");
        }
        var file = Files.createTempFile("millwright", ".jfr");
        try (var recording = new Recording(Configuration.getConfiguration("profile"))) {
            UNSHOWN.forEach(recording::disable);
            recording.start();
            Thread.sleep(Duration.ofSeconds(seconds));
            recording.stop();
            recording.dump(file);
            return new Answer(Answer.OK, "application/octet-stream", Files.readAllBytes(file));
        } finally {
            recordings.release();
            Files.deleteIfExists(file);
        }
    }

    /// The seconds asked for, or -1 when they are none or too many.
    private static int seconds(List<String> values, int fallback) {
        if (values.isEmpty()) {
            return fallback;
        }
        try {
            var seconds = Integer.parseInt(values.getFirst());
            return seconds <= SECONDS_MAX ? Math.max(seconds, -1) : -1;
        } catch (NumberFormatException notWhole) {
            return -1;
        }
    }
}
