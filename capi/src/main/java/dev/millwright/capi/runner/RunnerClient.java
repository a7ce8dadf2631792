package dev.millwright.capi.runner;

import dev.millwright.capi.runner.Wire.Answer;
import dev.millwright.capi.runner.Wire.Question;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// A runner in a container of its own, asked over a Unix socket.
public final class RunnerClient implements TerraformHost {

    /// Nothing that is asked takes longer. A command tells every fifth of a second that it goes on.
    private static final Duration SILENCE_MAX = Duration.ofMinutes(2);

    private static final int FIND_MILLIS = 200;

    private final Path socket;
    private final About about;

    private RunnerClient(Path socket, About about) {
        this.socket = socket;
        this.about = about;
    }

    /// Waits for a runner that starts beside us.
    ///
    /// @throws IOException when none answers in time; its message is for a person
    public static RunnerClient find(Path socket, Duration most)
            throws IOException, InterruptedException {
        var deadline = System.nanoTime() + most.toNanos();
        while (true) {
            try {
                return new RunnerClient(socket, ask(socket));
            } catch (IOException notYet) {
                if (System.nanoTime() > deadline) {
                    throw new IOException(
                            "no runner of Terraform answers at %s: %s; is `millwright run terraform --socket=%s` running beside this process?"
                                    .formatted(socket, notYet.getMessage(), socket),
                            notYet);
                }
                Thread.sleep(FIND_MILLIS);
            }
        }
    }

    private static About ask(Path socket) throws IOException {
        return ask(
                socket,
                wire -> wire.put(Question.ABOUT),
                wire ->
                        new About(
                                new TerraformBinary(wire.path(), wire.text()),
                                wire.path(),
                                wire.textsByName()));
    }

    /// What is said, or heard, on a connection.
    @FunctionalInterface
    private interface Talk<T> {
        T with(Wire wire) throws IOException;
    }

    private <T> T ask(Talk<Wire> question, Talk<T> answer) throws IOException {
        return ask(socket, question, answer);
    }

    private static <T> T ask(Path socket, Talk<Wire> question, Talk<T> answer) throws IOException {
        try (var wire = Wire.open(socket);
                var _ = new Patience(wire)) {
            question.with(wire).send();
            expect(wire, wire.answer());
            return answer.with(wire);
        }
    }

    private static void expect(Wire wire, Answer answer) throws IOException {
        switch (answer) {
            case DONE -> {}
            case FAILED -> throw new IOException("the runner of Terraform says: " + wire.text());
            case LINE, TICK -> throw new IOException("the runner of Terraform answers nonsense");
        }
    }

    private static boolean nothing(Wire wire) {
        return true;
    }

    /// Hangs up on a runner that says nothing: a module of a tenant may have stopped it.
    private static final class Patience implements AutoCloseable {

        private final CountDownLatch isDone = new CountDownLatch(1);
        private volatile long heardAt = System.nanoTime();

        Patience(Wire wire) {
            Thread.ofVirtual().name("terraform-patience").start(() -> guard(wire));
        }

        void heard() {
            heardAt = System.nanoTime();
        }

        private void guard(Wire wire) {
            try {
                var left = SILENCE_MAX.toNanos();
                while (left > 0) {
                    if (isDone.await(left, TimeUnit.NANOSECONDS)) {
                        return;
                    }
                    left = SILENCE_MAX.toNanos() - (System.nanoTime() - heardAt);
                }
                wire.close();
            } catch (IOException closed) {
                throw new UncheckedIOException(closed);
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void close() {
            isDone.countDown();
        }
    }

    @Override
    public About about() {
        return about;
    }

    @Override
    public Hold hold() throws IOException {
        var wire = Wire.open(socket);
        wire.put(Question.HOLD).send();
        return () -> {
            try {
                wire.close();
            } catch (IOException gone) {
                throw new UncheckedIOException(gone);
            }
        };
    }

    @Override
    public void makeFolder(Path folder) throws IOException {
        ask(wire -> wire.put(Question.MAKE_FOLDER).put(folder), RunnerClient::nothing);
    }

    @Override
    public byte[] read(Path file, int bytesMax) throws IOException {
        return ask(wire -> wire.put(Question.READ).put(file).put((long) bytesMax), Wire::bytes);
    }

    @Override
    public void write(Path file, byte[] bytes) throws IOException {
        ask(wire -> wire.put(Question.WRITE).put(file).put(bytes), RunnerClient::nothing);
    }

    @Override
    public void delete(Path tree) throws IOException {
        ask(wire -> wire.put(Question.DELETE).put(tree), RunnerClient::nothing);
    }

    @Override
    public boolean isFolder(Path folder) throws IOException {
        return ask(wire -> wire.put(Question.IS_FOLDER).put(folder), Wire::isTrue);
    }

    @Override
    public List<String> files(Path folder) throws IOException {
        return ask(wire -> wire.put(Question.FILES).put(folder), RunnerClient::names);
    }

    @Override
    public List<String> folders(Path folder) throws IOException {
        return ask(wire -> wire.put(Question.FOLDERS).put(folder), RunnerClient::names);
    }

    /// We make paths of our own of them.
    private static List<String> names(Wire wire) throws IOException {
        var names = wire.texts();
        for (var name : names) {
            if (name.isEmpty() || name.contains("/") || name.equals("..")) {
                throw new IOException("the runner of Terraform names no file: " + name);
            }
        }
        return names;
    }

    @Override
    public String checksum(Path tree, Set<String> except, String more) throws IOException {
        var names = List.copyOf(new TreeSet<>(except));
        return ask(wire -> wire.put(Question.CHECKSUM).put(tree).put(names).put(more), Wire::text);
    }

    @Override
    public void copy(Path from, Path to) throws IOException {
        ask(wire -> wire.put(Question.COPY).put(from).put(to), RunnerClient::nothing);
    }

    @Override
    public List<Working> working(Path folder) throws IOException {
        return ask(
                wire -> wire.put(Question.WORKING).put(folder),
                wire -> {
                    var all = new ArrayList<Working>();
                    for (var each : wire.texts()) {
                        var words = each.split(" ", 2);
                        all.add(new Working(pid(words[0]), words.length > 1));
                    }
                    return all;
                });
    }

    private static long pid(String text) throws IOException {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException nonsense) {
            throw new IOException("the runner of Terraform names no process: " + text, nonsense);
        }
    }

    @Override
    public void end(Path folder, boolean isForced) throws IOException {
        ask(wire -> wire.put(Question.END).put(folder).put(isForced), RunnerClient::nothing);
    }

    @Override
    public Ended run(Command command, Observer observer) throws IOException {
        try (var wire = Wire.open(socket);
                var patience = new Patience(wire)) {
            wire.put(Question.RUN)
                    .put(command.folder())
                    .put(command.arguments())
                    .put(command.environment())
                    .put(command.out())
                    .put(command.errors())
                    .put(command.interruptWait().toMillis())
                    .send();
            var isAsked = false;
            while (true) {
                var answer = wire.answer();
                patience.heard();
                switch (answer) {
                    case LINE -> observer.line(wire.text());
                    case TICK -> {
                        observer.tick();
                        if (!isAsked && observer.isInterrupted()) {
                            wire.put(true).send();
                            isAsked = true;
                        }
                        patience.heard();
                    }
                    case DONE, FAILED -> {
                        expect(wire, answer);
                        return new Ended((int) wire.number(), wire.text(), wire.isTrue());
                    }
                }
            }
        }
    }
}
