import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/// Writes what `javac --release` compiles against, for the release of this Java alone: `Signatures.java FILE`.
///
/// A JDK has it in lib/ct.sym, for older releases too; a JRE does not. The classes are taken as they are, where a JDK
/// has the signatures of the exported ones; which of them may be used, the modules say in either case.
final class Signatures {

    private Signatures() {}

    static void main(String[] arguments) throws IOException {
        var feature = Runtime.version().feature();
        var release = Integer.toString(feature, Character.MAX_RADIX).toUpperCase(Locale.ROOT);
        var modules =
                ModuleFinder.ofSystem().findAll().stream()
                        .map(ModuleReference::descriptor)
                        .sorted(Comparator.comparing(ModuleDescriptor::name))
                        .toList();
        var root = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("/modules");
        try (var zip = new ZipOutputStream(Files.newOutputStream(Path.of(arguments[0])))) {
            zip.setLevel(Deflater.BEST_SPEED);
            for (var module : modules) {
                var from = root.resolve(module.name());
                var to = release + "/" + module.name() + "/";
                for (var file : classes(from)) {
                    add(zip, file, to + from.relativize(file));
                }
            }
        }
    }

    private static List<Path> classes(Path module) throws IOException {
        try (var files = Files.walk(module)) {
            return files.filter(file -> file.toString().endsWith(".class")).sorted().toList();
        }
    }

    private static void add(ZipOutputStream zip, Path file, String name) throws IOException {
        zip.putNextEntry(new ZipEntry(name.replaceFirst("class$", "sig")));
        Files.copy(file, zip);
    }
}
