package dev.millwright.capi.runner;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/// This machine, with the rights of this process.
public final class LocalHost implements TerraformHost {

    /// Variables of this process that reach Terraform. Nothing else does.
    private static final Set<String> PASSED =
            Set.of(
                    "PATH",
                    "TMPDIR",
                    "LANG",
                    "TF_CLI_CONFIG_FILE",
                    "SSL_CERT_FILE",
                    "SSL_CERT_DIR",
                    "HTTP_PROXY",
                    "HTTPS_PROXY",
                    "NO_PROXY",
                    "http_proxy",
                    "https_proxy",
                    "no_proxy");

    private final About about;

    public LocalHost(TerraformBinary binary, Path root, Map<String, String> environment) {
        var passed = new TreeMap<>(environment);
        passed.keySet().retainAll(PASSED);
        this.about = new About(binary, root.toAbsolutePath().normalize(), passed);
    }

    @Override
    public About about() {
        return about;
    }

    @Override
    public Hold hold() {
        return () -> {};
    }

    /// A path that somebody named: links on the way are followed with our rights and no others.
    private Path within(Path path) throws IOException {
        var plain = path.normalize();
        if (!plain.startsWith(about.root())) {
            throw new IOException("%s is not below %s".formatted(path, about.root()));
        }
        return plain;
    }

    @Override
    public void makeFolder(Path folder) throws IOException {
        HostFiles.makeFolder(within(folder));
    }

    @Override
    public byte[] read(Path file, int bytesMax) throws IOException {
        return HostFiles.read(within(file), bytesMax);
    }

    @Override
    public void write(Path file, byte[] bytes) throws IOException {
        HostFiles.write(within(file), bytes);
    }

    @Override
    public void delete(Path tree) throws IOException {
        HostFiles.delete(within(tree));
    }

    @Override
    public boolean isFolder(Path folder) throws IOException {
        return Files.isDirectory(within(folder));
    }

    @Override
    public List<String> files(Path folder) throws IOException {
        return names(within(folder), each -> Files.isRegularFile(each, LinkOption.NOFOLLOW_LINKS));
    }

    @Override
    public List<String> folders(Path folder) throws IOException {
        var plain = within(folder);
        return Files.isDirectory(plain)
                ? names(plain, each -> Files.isDirectory(each, LinkOption.NOFOLLOW_LINKS))
                : List.of();
    }

    private static List<String> names(Path folder, Predicate<Path> wanted) throws IOException {
        try (var all = Files.list(folder)) {
            return all.filter(wanted)
                    .map(each -> String.valueOf(each.getFileName()))
                    .sorted()
                    .toList();
        }
    }

    @Override
    public String checksum(Path tree, Set<String> except, String more) throws IOException {
        return HostFiles.checksum(within(tree).toRealPath(), except, more);
    }

    @Override
    public void copy(Path from, Path to) throws IOException {
        HostFiles.copy(within(from).toRealPath(), within(to));
    }

    @Override
    public List<Working> working(Path folder) throws IOException {
        return Processes.in(folder.normalize()).stream()
                .map(each -> new Working(each.pid(), Processes.isPlugin(each)))
                .toList();
    }

    @Override
    public void end(Path folder, boolean isForced) throws IOException {
        for (var process : Processes.in(within(folder))) {
            if (isForced) {
                process.destroyForcibly();
            } else {
                process.destroy();
            }
        }
    }

    @Override
    public Ended run(Command command, Observer observer) throws IOException, InterruptedException {
        within(command.out());
        within(command.errors());
        within(command.folder());
        return new TerraformCommand(about.binary(), command).run(observer);
    }
}
