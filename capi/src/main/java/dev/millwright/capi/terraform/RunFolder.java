package dev.millwright.capi.terraform;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millwright.capi.runner.HostFiles;
import dev.millwright.capi.runner.TerraformHost;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/// The folder of one Workspace on the host of Terraform, and our own note on it. What lies in the
/// folder may have been written by the Workspace's module.
///
/// @param note on this machine, out of the module's reach
record RunFolder(TerraformHost host, Path path, Path note) {

    /// What we keep of a state that fills its Secret, unpacked; and of anything else that we read.
    static final int BYTES_MAX = 16 << 20;

    private static final int NOTE_BYTES_MAX = 64 << 10;

    /// Where Terraform works, at the root of the module.
    Path work() {
        return path.resolve("work");
    }

    /// Terraform's own: plug-ins, modules, the backend.
    Path data() {
        return path.resolve("data");
    }

    Path logs() {
        return path.resolve("log");
    }

    Path fetch() {
        return path.resolve("fetch");
    }

    Path states() {
        return path.resolve("state");
    }

    /// The checksum of what was last initialised.
    Path initialised() {
        return path.resolve("initialised");
    }

    /// Empty where there is no such file.
    ///
    /// @throws IOException when there is more than we keep
    byte[] read(Path file) throws IOException {
        var bytes = host.read(file, BYTES_MAX + 1);
        if (bytes.length > BYTES_MAX) {
            throw new IOException(
                    "%s has more than %d MiB, the most that is read"
                            .formatted(file, BYTES_MAX >> 20));
        }
        return bytes;
    }

    String text(Path file) throws IOException {
        return new String(read(file), UTF_8);
    }

    /// Writes what does not stand there already, so that Terraform's own files beside it stay.
    void put(Path file, byte[] bytes) throws IOException {
        if (bytes.length == 0 || !Arrays.equals(host.read(file, bytes.length + 1), bytes)) {
            host.write(file, bytes);
        }
    }

    /// There while an apply may have left more than the cluster knows; else empty.
    byte[] unfinished() throws IOException {
        return HostFiles.read(note, NOTE_BYTES_MAX);
    }

    void noteUnfinished(byte[] bytes) throws IOException {
        HostFiles.write(note, bytes);
    }

    void noteFinished() throws IOException {
        Files.deleteIfExists(note);
    }
}
