import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/// Unpacks a zip archive with the permissions of its files: `Unzip.java ARCHIVE DIRECTORY`.
final class Unzip {

    private Unzip() {}

    static void main(String[] arguments) throws IOException {
        var target = Path.of(arguments[1]).toAbsolutePath().normalize();
        var settings = Map.of("enablePosixFileAttributes", "true");
        try (var zip = FileSystems.newFileSystem(Path.of(arguments[0]), settings);
                var entries = Files.walk(zip.getPath("/"))) {
            for (var entry : (Iterable<Path>) entries::iterator) {
                unpack(entry, target.resolve(entry.toString().substring(1)).normalize(), target);
            }
        }
    }

    private static void unpack(Path entry, Path file, Path target) throws IOException {
        if (!file.startsWith(target)) {
            throw new IOException(entry + " leads out of " + target);
        }
        if (Files.isDirectory(entry)) {
            Files.createDirectories(file);
            return;
        }
        Files.copy(entry, file);
        Files.setPosixFilePermissions(file, Files.getPosixFilePermissions(entry));
    }
}
