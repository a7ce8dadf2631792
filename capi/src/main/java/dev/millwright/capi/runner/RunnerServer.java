package dev.millwright.capi.runner;

import dev.millwright.capi.runner.TerraformHost.Command;
import dev.millwright.capi.runner.TerraformHost.Observer;
import dev.millwright.capi.runner.Wire.Answer;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/// The runner: does what the manager beside it asks, below one folder, with its own rights, which
/// are none but those of its user.
public final class RunnerServer implements AutoCloseable {

    /// A hundred runs at most, each with a hold, a command and a question.
    private static final int CONNECTIONS_MAX = 512;

    private static final long LOOK_MILLIS = 200;

    private final LocalHost host;
    private final Path socket;
    private final ServerSocketChannel door;
    private final Consumer<String> log;
    private final Semaphore connections = new Semaphore(CONNECTIONS_MAX);
    private final AtomicInteger held = new AtomicInteger();

    private RunnerServer(
            LocalHost host, Path socket, ServerSocketChannel door, Consumer<String> log) {
        this.host = host;
        this.socket = socket;
        this.door = door;
        this.log = log;
    }

    /// Opens the socket for its user and its group, to which the manager belongs.
    ///
    /// @param log takes a line for a person
    public static RunnerServer open(LocalHost host, Path socket, Consumer<String> log)
            throws IOException {
        Files.deleteIfExists(socket); // Left by one that was killed.
        host.makeFolder(host.about().root());
        var door = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        door.bind(UnixDomainSocketAddress.of(socket));
        Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("rw-rw----"));
        var server = new RunnerServer(host, socket, door, log);
        Thread.ofPlatform().daemon().name("terraform-door").start(server::serve);
        return server;
    }

    private void serve() {
        while (door.isOpen()) {
            try {
                connections.acquire();
                var channel = door.accept();
                Thread.ofVirtual().name("terraform-question").start(() -> answer(channel));
            } catch (IOException closed) {
                connections.release();
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    private void answer(SocketChannel channel) {
        try (var wire = new Wire(channel)) {
            try {
                answer(wire);
            } catch (IOException | InvalidPathException failure) {
                wire.put(Answer.FAILED).put(String.valueOf(failure.getMessage())).send();
            }
        } catch (IOException gone) {
            log.accept("a connection ended: " + gone.getMessage());
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } finally {
            connections.release();
        }
    }

    private void answer(Wire wire) throws IOException, InterruptedException {
        switch (wire.question()) {
            case ABOUT -> {
                var about = host.about();
                wire.put(Answer.DONE)
                        .put(about.binary().path())
                        .put(about.binary().version())
                        .put(about.root())
                        .put(about.environment());
            }
            case HOLD -> hold(wire);
            case MAKE_FOLDER -> {
                host.makeFolder(wire.path());
                wire.put(Answer.DONE);
            }
            case READ -> {
                var file = wire.path();
                var most = Math.clamp(wire.number(), 0, Wire.BYTES_MAX);
                var bytes = host.read(file, most);
                wire.put(Answer.DONE).put(bytes);
            }
            case WRITE -> {
                host.write(wire.path(), wire.bytes());
                wire.put(Answer.DONE);
            }
            case DELETE -> {
                host.delete(wire.path());
                wire.put(Answer.DONE);
            }
            case IS_FOLDER -> {
                var isFolder = host.isFolder(wire.path());
                wire.put(Answer.DONE).put(isFolder);
            }
            case FILES -> {
                var names = host.files(wire.path());
                wire.put(Answer.DONE).put(names);
            }
            case FOLDERS -> {
                var names = host.folders(wire.path());
                wire.put(Answer.DONE).put(names);
            }
            case CHECKSUM -> {
                var tree = wire.path();
                var except = Set.copyOf(wire.texts());
                var checksum = host.checksum(tree, except, wire.text());
                wire.put(Answer.DONE).put(checksum);
            }
            case COPY -> {
                host.copy(wire.path(), wire.path());
                wire.put(Answer.DONE);
            }
            case WORKING -> {
                var words =
                        host.working(wire.path()).stream()
                                .map(each -> each.pid() + (each.isPlugin() ? " plugin" : ""))
                                .toList();
                wire.put(Answer.DONE).put(words);
            }
            case END -> {
                host.end(wire.path(), wire.isTrue());
                wire.put(Answer.DONE);
            }
            case RUN -> run(wire);
        }
        wire.send();
    }

    private void hold(Wire wire) throws IOException {
        held.incrementAndGet();
        try {
            wire.hasMore();
        } finally {
            held.decrementAndGet();
        }
    }

    private void run(Wire wire) throws IOException, InterruptedException {
        var command =
                new Command(
                        wire.path(),
                        wire.texts(),
                        wire.textsByName(),
                        wire.path(),
                        wire.path(),
                        Duration.ofMillis(wire.number()));
        var isInterrupted = new AtomicBoolean();
        Thread.ofVirtual()
                .name("terraform-interrupt")
                .start(() -> isInterrupted.set(isAsked(wire)));
        var ended = host.run(command, new Teller(wire, isInterrupted));
        wire.put(Answer.DONE)
                .put((long) ended.exit())
                .put(ended.errors())
                .put(ended.wasInterrupted());
    }

    private static boolean isAsked(Wire wire) {
        try {
            return wire.hasMore();
        } catch (IOException gone) {
            return false;
        }
    }

    /// Tells the manager as long as it listens. A command goes on without it: the next manager
    /// finds it by its folder.
    private static final class Teller implements Observer {
        private final Wire wire;
        private final AtomicBoolean isInterrupted;
        private boolean isAlone;

        Teller(Wire wire, AtomicBoolean isInterrupted) {
            this.wire = wire;
            this.isInterrupted = isInterrupted;
        }

        private void tell(Answer answer, String text) {
            if (isAlone) {
                return;
            }
            try {
                wire.put(answer);
                if (answer == Answer.LINE) {
                    wire.put(text);
                } else {
                    wire.send();
                }
            } catch (IOException gone) {
                isAlone = true;
            }
        }

        @Override
        public void line(String line) {
            tell(Answer.LINE, line);
        }

        @Override
        public void tick() {
            tell(Answer.TICK, "");
        }

        @Override
        public boolean isInterrupted() {
            return isInterrupted.get();
        }
    }

    /// Until no run goes on. A command whose manager has gone is told to save its state and end.
    public void awaitEnd(Duration most) throws IOException, InterruptedException {
        var root = host.about().root();
        var deadline = System.nanoTime() + most.toNanos();
        var isTold = false;
        while (System.nanoTime() < deadline) {
            if (held.get() == 0) {
                var left = host.working(root);
                if (left.isEmpty()) {
                    return;
                }
                if (!isTold) {
                    log.accept("interrupts %d processes of Terraform".formatted(left.size()));
                    host.end(root, false);
                    isTold = true;
                }
            }
            Thread.sleep(LOOK_MILLIS);
        }
    }

    @Override
    public void close() throws IOException {
        door.close();
        Files.deleteIfExists(socket);
    }
}
