package dev.millwright.testing.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.jspecify.annotations.Nullable;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// A real control plane on loopback, with a directory and ports of its own. Binaries that are
/// missing are built first.
///
/// `cluster.sh` owns the processes and ends with its standard input, whose other end only this JVM
/// holds: they are gone after [#close], and also when the JVM is killed.
public final class ControlPlane implements AutoCloseable {

    /// What runs, and how. Start from [#all] or [#apiOnly].
    public record Options(
            List<Component> components,
            List<String> apiServerFlags,
            List<String> controllerManagerFlags,
            @Nullable Path stages) {

        public Options {
            components = List.copyOf(EnumSet.copyOf(components));
            apiServerFlags = List.copyOf(apiServerFlags);
            controllerManagerFlags = List.copyOf(controllerManagerFlags);
        }

        /// Everything, with nodes that join and pods that run at once.
        public static Options all() {
            return of(Component.values());
        }

        /// Storage and API alone: ready sooner, but nothing acts on what is stored.
        public static Options apiOnly() {
            return of(Component.ETCD, Component.API_SERVER);
        }

        public static Options of(Component... components) {
            return new Options(List.of(components), List.of(), List.of(), null);
        }

        public Options withApiServerFlags(String... flags) {
            return new Options(components, List.of(flags), controllerManagerFlags, stages);
        }

        public Options withControllerManagerFlags(String... flags) {
            return new Options(components, apiServerFlags, List.of(flags), stages);
        }

        /// With a log of what anybody asked the API server for, see [ControlPlane#audit]. Without,
        /// it has what the charts' accounts asked for.
        public Options audited() {
            var flags = new ArrayList<>(apiServerFlags);
            flags.add(AUDIT_POLICY + script("audit-policy-all.yaml"));
            return new Options(components, flags, controllerManagerFlags, stages);
        }

        private String apiServerWords() {
            var words = new ArrayList<>(apiServerFlags);
            if (words.stream().noneMatch(word -> word.startsWith(AUDIT_POLICY))) {
                words.add(AUDIT_POLICY + script("audit-policy.yaml"));
            }
            words.add("--audit-log-path=" + AUDIT_LOG);
            words.add("--audit-log-mode=blocking-strict");
            return String.join(" ", words);
        }

        /// A directory of kwok Stages in place of ours.
        public Options withStages(Path directory) {
            return new Options(components, apiServerFlags, controllerManagerFlags, directory);
        }
    }

    private static final String AUDIT_LOG = "log/audit.log";
    private static final String AUDIT_POLICY = "--audit-policy-file=";

    /// A condition of a definition, as kubectl prints it.
    private static final String ESTABLISHED = "\"status\":\"True\",\"type\":\"Established\"";

    private static final int START_ATTEMPTS_MAX = 3;
    private static final int WORDS_KEPT_MAX = 60;
    private static final Duration BUILD_LIMIT = Duration.ofMinutes(80);
    private static final Duration COMMAND_LIMIT = Duration.ofMinutes(2);
    private static final Duration CLOSE_LIMIT = Duration.ofMinutes(2);
    private static final List<String> PORTS =
            List.of(
                    "API_PORT",
                    "ETCD_PORT",
                    "ETCD_PEER_PORT",
                    "CONTROLLER_MANAGER_PORT",
                    "SCHEDULER_PORT",
                    "KWOK_PORT");
    private static final AtomicInteger COUNT = new AtomicInteger();

    private final Path directory;
    private final URI server;
    private final Process supervisor;
    private final Writer commands;
    private final BufferedReader answers;
    private final Deque<String> words = new ArrayDeque<>();
    private final AtomicInteger namespaces = new AtomicInteger();
    private final List<Runnable> atEnd = new CopyOnWriteArrayList<>();

    private ControlPlane(Path directory, URI server, Process supervisor) {
        this.directory = directory;
        this.server = server;
        this.supervisor = supervisor;
        this.commands = supervisor.outputWriter(UTF_8);
        this.answers = supervisor.inputReader(UTF_8);
        // Not a virtual thread: each that waits for a process keeps a processor's carrier, and with
        // two control planes none would be left.
        Thread.ofPlatform().daemon().start(this::listen);
    }

    /// Returns when every component is healthy.
    public static ControlPlane start(Options options) {
        build();
        var attempt = 1;
        while (true) {
            var started = launch(options);
            if (started.isReady()) {
                return started;
            }
            started.close();
            var lost = started.lastWords();
            // Somebody else may have taken a port between our choice and its use.
            if (attempt == START_ATTEMPTS_MAX || !lost.contains("address already in use")) {
                throw new IllegalStateException(
                        "the control plane in %s did not start: %s"
                                .formatted(started.directory, lost));
            }
            attempt++;
        }
    }

    /// The administrator's; `kubectl --as` stands in for anybody else.
    public Path kubeconfig() {
        return directory.resolve("kubeconfig");
    }

    public URI server() {
        return server;
    }

    /// Where a component writes; all that is kept after [#close].
    public Path log(Component component) {
        return directory.resolve("log").resolve(component + ".log");
    }

    public AuditLog audit() {
        return new AuditLog(directory.resolve(AUDIT_LOG));
    }

    /// One of the binaries, built first if it is missing.
    public static Path binary(String name) {
        build();
        return cache().resolve("bin").resolve(name);
    }

    /// What kubectl prints. An exit code other than zero is an exception with its words.
    public String kubectl(String... arguments) {
        return kubectl(List.of(arguments), "");
    }

    /// Waits until every definition that was made can be used. `kubectl wait` gives up on one of
    /// which the server has said nothing yet, and so does a filter of a JSONPath.
    public void established() {
        Eventually.see(
                "all definitions are established",
                () ->
                        kubectl(
                                "get",
                                "crd",
                                "-o",
                                "jsonpath={range .items[*]}{.metadata.name}={.status.conditions}{\"\\n\"}{end}"),
                text ->
                        !text.isBlank()
                                && text.lines().allMatch(line -> line.contains(ESTABLISHED)));
    }

    /// Creates or changes the objects of a YAML text.
    public String apply(String yaml) {
        return kubectl(List.of("apply", "--server-side", "--force-conflicts", "-f", "-"), yaml);
    }

    /// Has the server check the objects of a YAML text field by field, without keeping them.
    public String dryRun(String yaml) {
        return kubectl(
                List.of(
                        "apply",
                        "--server-side",
                        "--force-conflicts",
                        "--dry-run=server",
                        "--validate=strict",
                        "-f",
                        "-"),
                yaml);
    }

    /// A kubeconfig of a service account alone, as a pod of it has.
    public String access(String namespace, String account) {
        var token = kubectl("create", "token", account, "-n", namespace, "--duration=2h");
        return """
        apiVersion: v1
        kind: Config
        current-context: it
        clusters: [{name: it, cluster: {server: "%s", certificate-authority: "%s"}}]
        contexts: [{name: it, context: {cluster: it, user: it, namespace: %s}}]
        users: [{name: it, user: {token: "%s"}}]
        """
                .formatted(
                        server,
                        kubeconfig().resolveSibling("pki/ca.crt"),
                        namespace,
                        token.strip());
    }

    /// A new namespace, so that tests on a shared control plane do not meet.
    public String createNamespace() {
        var name = "test-" + namespaces.incrementAndGet();
        kubectl("create", "namespace", name);
        return name;
    }

    /// Ends it and starts it on the same port with the same data: watches break, and clients must
    /// come back.
    public void restartApiServer() {
        tell("restart", Component.API_SERVER);
    }

    /// Starts one that [#stop] or [#kill] ended, and waits until it is healthy.
    public void start(Component component) {
        tell("start", component);
    }

    /// Lets it end by itself, for a short while.
    public void stop(Component component) {
        tell("stop", component);
    }

    /// As a machine that loses power.
    public void kill(Component component) {
        tell("kill", component);
    }

    /// As a machine that hangs: its connections stay and nothing answers, until [#resume].
    public void pause(Component component) {
        tell("pause", component);
    }

    public void resume(Component component) {
        tell("resume", component);
    }

    /// All processes of this control plane.
    List<ProcessHandle> processes() {
        return Stream.concat(Stream.of(supervisor.toHandle()), supervisor.descendants()).toList();
    }

    /// Has something looked at before all is gone but the logs.
    public void atEnd(Runnable look) {
        atEnd.add(look);
    }

    @Override
    public void close() {
        try {
            atEnd.forEach(Runnable::run);
        } finally {
            end();
        }
    }

    private void end() {
        try {
            commands.close();
        } catch (IOException _) {
            // It has ended already; what is left is to wait for it.
        }
        try {
            if (!supervisor.waitFor(CLOSE_LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
                var left = processes();
                left.forEach(ProcessHandle::destroyForcibly);
                throw new IllegalStateException(
                        "the control plane in %s did not end in %s; killed %s"
                                .formatted(directory, CLOSE_LIMIT, left));
            }
        } catch (InterruptedException failure) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the control plane ended", failure);
        }
        deleteAllButLogs();
    }

    /// A run starts dozens: their data and keys are of no use to anybody afterwards.
    private void deleteAllButLogs() {
        try (var entries = Files.walk(directory)) {
            var logs = directory.resolve("log");
            for (var entry : entries.sorted(Comparator.reverseOrder()).toList()) {
                if (!entry.startsWith(logs) && !entry.equals(directory)) {
                    Files.delete(entry);
                }
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private String kubectl(List<String> arguments, String input) {
        var command = new ArrayList<String>();
        command.add(cache().resolve("bin/kubectl").toString());
        command.add("--kubeconfig=" + kubeconfig());
        command.addAll(arguments);
        return Shell.run(command, input, COMMAND_LIMIT);
    }

    private synchronized void tell(String verb, Component component) {
        try {
            commands.write("%s %s\n".formatted(verb, component));
            commands.flush();
            var answer = answers.readLine();
            if (!"ok".equals(answer)) {
                throw new IllegalStateException(
                        "cannot %s %s: %s".formatted(verb, component, lastWords()));
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(lastWords(), failure);
        }
    }

    private boolean isReady() {
        try {
            return "ready".equals(answers.readLine());
        } catch (IOException _) {
            return false;
        }
    }

    private void listen() {
        supervisor.errorReader(UTF_8).lines().forEach(this::remember);
    }

    private void remember(String line) {
        System.err.println(line);
        synchronized (words) {
            if (words.size() == WORDS_KEPT_MAX) {
                words.removeFirst();
            }
            words.addLast(line);
        }
    }

    private String lastWords() {
        synchronized (words) {
            return String.join("\n", words);
        }
    }

    private static ControlPlane launch(Options options) {
        try {
            var base = Path.of("target", "control-plane").toAbsolutePath();
            var name = "%d-%d".formatted(ProcessHandle.current().pid(), COUNT.incrementAndGet());
            var directory = Files.createDirectories(base.resolve(name));
            var builder =
                    new ProcessBuilder(
                            "bash", script("cluster.sh").toString(), directory.toString());
            var environment = builder.environment();
            environment.put(
                    "COMPONENTS",
                    options.components().stream()
                            .map(Component::toString)
                            .collect(Collectors.joining(" ")));
            environment.put("APISERVER_FLAGS", options.apiServerWords());
            environment.put(
                    "CONTROLLER_MANAGER_FLAGS", String.join(" ", options.controllerManagerFlags()));
            if (options.stages() != null) {
                environment.put("STAGES", options.stages().toAbsolutePath().toString());
            }
            var ports = freePorts(PORTS.size());
            for (var i = 0; i < PORTS.size(); i++) {
                environment.put(PORTS.get(i), ports.get(i).toString());
            }
            var server = URI.create("https://127.0.0.1:" + ports.getFirst());
            return new ControlPlane(directory, server, builder.start());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static List<Integer> freePorts(int count) throws IOException {
        var open = new ArrayList<ServerSocket>();
        try {
            // Open together, or the same port might come twice.
            for (var i = 0; i < count; i++) {
                open.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
            }
            return open.stream().map(ServerSocket::getLocalPort).toList();
        } finally {
            for (var socket : open) {
                socket.close();
            }
        }
    }

    /// Passes the builder's words on line by line: a build of half an hour must be seen to go on.
    private static void build() {
        try {
            var process =
                    new ProcessBuilder("bash", script("build.sh").toString())
                            .redirectErrorStream(true)
                            .start();
            process.getOutputStream().close();
            var reader =
                    Thread.ofPlatform()
                            .daemon()
                            .start(
                                    () ->
                                            process.inputReader(UTF_8)
                                                    .lines()
                                                    .forEach(System.err::println));
            if (!process.waitFor(BUILD_LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
                throw new IllegalStateException(
                        "building the control plane took longer than " + BUILD_LIMIT);
            }
            reader.join();
            if (process.exitValue() != 0) {
                throw new IllegalStateException(
                        "the control plane could not be built; the lines above say why");
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (InterruptedException failure) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(
                    "interrupted while the control plane was built", failure);
        }
    }

    /// Where `versions.sh` has it. Java's own home is that of the user, which HOME may move.
    private static Path cache() {
        var own = System.getenv("MILLWRIGHT_CONTROL_PLANE_CACHE");
        if (own != null && !own.isEmpty()) {
            return Path.of(own);
        }
        var whole = System.getenv("MILLWRIGHT_CACHE");
        return whole == null || whole.isEmpty()
                ? Path.of(System.getenv("HOME"), ".cache", "millwright", "control-plane")
                : Path.of(whole, "control-plane");
    }

    /// Tests run in the module's directory under Maven, and often in the root under an editor.
    private static Path script(String name) {
        var here = Path.of("").toAbsolutePath();
        return Stream.of("control-plane", "testing/e2e/control-plane")
                .map(folder -> here.resolve(folder).resolve(name))
                .filter(Files::isRegularFile)
                .findFirst()
                .orElseThrow(
                        () ->
                                new IllegalStateException(
                                        "found no control-plane/%s under %s; run in testing/e2e or the root"
                                                .formatted(name, here)));
    }
}
