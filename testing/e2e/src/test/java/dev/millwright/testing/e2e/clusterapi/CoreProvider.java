package dev.millwright.testing.e2e.clusterapi;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millwright.testing.e2e.ControlPlane;
import dev.millwright.testing.e2e.Eventually;
import dev.millwright.testing.e2e.Shell;
import dev.millwright.testing.e2e.Tools;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/// Core Cluster API's release, and its manager as a process with the rights of its own account.
final class CoreProvider implements AutoCloseable {

    private static final String SYSTEM = "capi-system";
    private static final String ACCOUNT = "capi-manager";
    private static final long STOP_SECONDS_MAX = 20;
    private static final Duration LIMIT = Duration.ofMinutes(2);

    private static final Pattern SERVICE =
            Pattern.compile(
                    "(?m)^( *)service:\\n +name: capi-webhook-service\\n +namespace: "
                            + SYSTEM
                            + "\\n +path: (\\S+)$");

    private final Path log;
    private final Process process;

    private CoreProvider(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    /// Core's folder of manifests, as its module has it.
    static Path config() {
        return Tools.path("cluster-api-crds").resolve("../..").normalize();
    }

    /// What core's release consists of. Its manifests name a Service for webhooks and conversions;
    /// here is no pod behind one, so they name the port.
    static String components(ControlPlane plane, int port) throws IOException {
        var text =
                Shell.run(
                        List.of(
                                ControlPlane.binary("kubectl").toString(),
                                "kustomize",
                                config().resolve("default").toString()),
                        "",
                        LIMIT);
        var authority =
                Base64.getEncoder().encodeToString(Files.readAllBytes(pki(plane, "ca.crt")));
        return SERVICE.matcher(text)
                .replaceAll(
                        "$1url: https://127.0.0.1:%d$2\n$1caBundle: %s".formatted(port, authority));
    }

    private static Path pki(ControlPlane plane, String file) {
        return plane.kubeconfig().resolveSibling("pki").resolve(file);
    }

    static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /// Where core's components are installed. Returns when its webhooks are served.
    static CoreProvider start(ControlPlane plane, Path directory, int port, List<String> options)
            throws IOException {
        Eventually.see(
                "core's rights are gathered",
                () ->
                        plane.kubectl(
                                "get",
                                "clusterrole/capi-aggregated-manager-role",
                                "-o=jsonpath={.rules}"),
                rules -> !rules.isBlank());
        var certificates = Files.createDirectories(directory.resolve("core-certificates"));
        Files.copy(pki(plane, "apiserver.crt"), certificates.resolve("tls.crt"));
        Files.copy(pki(plane, "apiserver.key"), certificates.resolve("tls.key"));
        var log = directory.resolve("core.log");
        var access =
                Files.writeString(
                        directory.resolve("core.kubeconfig"), plane.access(SYSTEM, ACCOUNT));
        var command =
                new ArrayList<>(
                        List.of(
                                Tools.path("cluster-api-manager").toString(),
                                "--kubeconfig=" + access,
                                "--webhook-port=" + port,
                                "--webhook-cert-dir=" + certificates,
                                "--health-addr=127.0.0.1:0",
                                "--diagnostics-address=127.0.0.1:0",
                                "--insecure-diagnostics",
                                "--skip-crd-migration-phases=StorageVersionMigration,CleanupManagedFields"));
        command.addAll(options);
        var builder = new ProcessBuilder(command);
        builder.environment().put("POD_NAMESPACE", SYSTEM);
        builder.environment().put("POD_NAME", ACCOUNT);
        builder.environment().put("POD_UID", "1");
        var process = builder.redirectErrorStream(true).redirectOutput(log.toFile()).start();
        var core = new CoreProvider(process, log);
        Eventually.see(
                "core's webhooks are served",
                core::log,
                words -> words.contains("Serving webhook server"));
        return core;
    }

    String log() {
        try {
            return Files.readString(log, UTF_8);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(STOP_SECONDS_MAX, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }
}
