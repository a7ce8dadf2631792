package dev.millwright.addons.helm;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

final class ScratchTest {

    /// No process has it: Linux ends at 4,194,304.
    private static final long NOBODY = 4_999_999;

    @TempDir private Path parent;

    private Path leftBy(long pid) throws IOException {
        var left = Files.createDirectory(parent.resolve("run-%d-x".formatted(pid)));
        Files.writeString(left.resolve("kubeconfig"), "secret");
        return left;
    }

    @Test
    void filesAreTheirOwnersAloneAndGoWithTheRun() throws IOException {
        try (var scratch = new Scratch(parent)) {
            var file = scratch.file("kubeconfig", "secret");
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .isEqualTo("rw-------");
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(scratch.path())))
                    .isEqualTo("rwx------");
        }
        assertThat(parent).isEmptyDirectory();
    }

    @Test
    void whatAKilledProcessLeftIsRemovedWhenTheNextBegins() throws IOException {
        var dead = leftBy(NOBODY);
        var sameNumber = leftBy(ProcessHandle.current().pid());
        var living = leftBy(1);
        var strange = Files.createDirectory(parent.resolve("run-of-somebody"));

        Scratch.sweep(parent);

        assertThat(dead).doesNotExist();
        assertThat(sameNumber).doesNotExist();
        assertThat(living).exists();
        assertThat(strange).exists();
    }
}
