package dev.millwright.capi.runner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;

/// Two sides of a connection, one of which means harm: a module of a tenant can take the runner's
/// place, since it runs as the same user.
@Timeout(60)
final class WireTest {

    /// Two of them are more than a body may have, and one is not.
    private static final String HALF = "a".repeat(Wire.BYTES_MAX / 2 + 1);

    @TempDir private Path directory;

    @SuppressWarnings("NullAway.Init") // Set before each test.
    private Wire ours;

    @SuppressWarnings("NullAway.Init") // Set before each test.
    private Wire theirs;

    @BeforeEach
    void open() throws IOException {
        var socket = directory.resolve("s");
        try (var door = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            door.bind(UnixDomainSocketAddress.of(socket));
            ours = Wire.open(socket);
            theirs = new Wire(door.accept());
        }
    }

    @AfterEach
    void close() throws IOException {
        ours.close();
        theirs.close();
    }

    @FunctionalInterface
    private interface Saying {
        Wire on(Wire wire) throws IOException;
    }

    private void theySay(Saying saying) {
        Thread.ofVirtual()
                .start(
                        () -> {
                            try {
                                saying.on(theirs).send();
                            } catch (IOException hungUp) {
                                // As we do when it is too long.
                            }
                        });
    }

    @Test
    void aListIsReadAsItWasWritten() throws IOException {
        theySay(wire -> wire.put(List.of("one", "", HALF)));

        assertThat(ours.texts()).containsExactly("one", "", HALF);
    }

    @Test
    void theTextsOfAListAreBoundedTogether() {
        theySay(wire -> wire.put(List.of(HALF, HALF)));

        assertThatThrownBy(ours::texts)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("wanted at most");
    }

    @Test
    void namesAndTextsAreBoundedTogether() {
        var texts = new TreeMap<String, String>();
        texts.put("a", HALF);
        texts.put(HALF, "b");
        theySay(wire -> wire.put(texts));

        assertThatThrownBy(ours::textsByName)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("wanted at most");
    }

    @Test
    void aTextIsNoLongerThanABodyMayBe() {
        theySay(wire -> wire.put(new byte[Wire.BYTES_MAX + 1]));

        assertThatThrownBy(ours::bytes)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("wanted at most");
    }
}
