package dev.millwright.testing.e2e;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.atomic.AtomicInteger;

/// A port that counts who connects, and says nothing to them.
public final class CountingDoor implements AutoCloseable {

    private static final int WAITING_MAX = 50;

    private final ServerSocket socket;
    private final AtomicInteger visitors = new AtomicInteger();

    private CountingDoor(ServerSocket socket) {
        this.socket = socket;
    }

    public static CountingDoor open() {
        try {
            var door =
                    new CountingDoor(
                            new ServerSocket(0, WAITING_MAX, InetAddress.getLoopbackAddress()));
            Thread.ofVirtual().start(door::serve);
            return door;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private void serve() {
        while (!socket.isClosed()) {
            try (var _ = socket.accept()) {
                visitors.incrementAndGet();
            } catch (IOException closed) {
                return;
            }
        }
    }

    /// Host and port.
    public String address() {
        return "127.0.0.1:" + socket.getLocalPort();
    }

    public int visitors() {
        return visitors.get();
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
