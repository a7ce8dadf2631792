package dev.millwright.testing.e2e.addons;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millwright.testing.e2e.ControlPlane;
import dev.millwright.testing.e2e.Eventually;
import dev.millwright.testing.e2e.Tools;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Core Cluster API's own manager as a process: with the rights of its own role, its webhooks on
/// the API server, and nothing of ours.
final class CoreManager implements AutoCloseable {

    private static final String SYSTEM = "capi-system";
    private static final long STOP_SECONDS_MAX = 20;

    private final Path log;
    private final Process process;

    CoreManager(ControlPlane plane, Path directory) {
        try {
            var config = Tools.path("cluster-api-crds").resolve("../..").normalize();
            var pki = plane.kubeconfig().resolveSibling("pki");
            var port = freePort();
            define(plane, config);
            plane.kubectl("create", "namespace", SYSTEM);
            plane.kubectl("create", "serviceaccount", "capi-manager", "-n", SYSTEM);
            plane.apply(Files.readString(config.resolve("rbac/role.yaml")));
            plane.kubectl(
                    "create",
                    "clusterrolebinding",
                    "capi-manager",
                    "--clusterrole=manager-role",
                    "--serviceaccount=%s:capi-manager".formatted(SYSTEM));
            var certificates = Files.createDirectories(directory.resolve("core-certificates"));
            Files.copy(pki.resolve("apiserver.crt"), certificates.resolve("tls.crt"));
            Files.copy(pki.resolve("apiserver.key"), certificates.resolve("tls.key"));
            log = directory.resolve("core.log");
            var access = Files.writeString(directory.resolve("core.kubeconfig"), access(plane));
            var builder =
                    new ProcessBuilder(
                            Tools.path("cluster-api-manager").toString(),
                            "--kubeconfig=" + access,
                            "--webhook-port=" + port,
                            "--webhook-cert-dir=" + certificates,
                            "--health-addr=127.0.0.1:0",
                            "--diagnostics-address=127.0.0.1:0",
                            "--insecure-diagnostics",
                            "--skip-crd-migration-phases=StorageVersionMigration,CleanupManagedFields");
            builder.environment().put("POD_NAMESPACE", SYSTEM);
            builder.environment().put("POD_NAME", "capi-manager");
            builder.environment().put("POD_UID", "1");
            process = builder.redirectErrorStream(true).redirectOutput(log.toFile()).start();
            Eventually.see(
                    "core's webhooks are served",
                    this::log,
                    words -> words.contains("Serving webhook server"));
            plane.apply(webhooks(config, pki, port));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /// All of core's kinds; it watches those of its add-ons, too.
    private static void define(ControlPlane plane, Path config) throws IOException {
        try (var files = Files.list(config.resolve("crd/bases"))) {
            for (var file : files.sorted().toList()) {
                plane.kubectl("apply", "--server-side", "--force-conflicts", "-f", file.toString());
            }
        }
        plane.established();
    }

    private static String access(ControlPlane plane) {
        var token = plane.kubectl("create", "token", "capi-manager", "-n", SYSTEM, "--duration=2h");
        return """
        apiVersion: v1
        kind: Config
        current-context: it
        clusters: [{name: it, cluster: {server: "%s", certificate-authority: "%s"}}]
        contexts: [{name: it, context: {cluster: it, user: it, namespace: %s}}]
        users: [{name: it, user: {token: "%s"}}]
        """
                .formatted(
                        plane.server(),
                        plane.kubeconfig().resolveSibling("pki/ca.crt"),
                        SYSTEM,
                        token.strip());
    }

    /// Core's manifests name a Service; here is no pod behind one.
    private static String webhooks(Path config, Path pki, int port) throws IOException {
        var authority =
                Base64.getEncoder().encodeToString(Files.readAllBytes(pki.resolve("ca.crt")));
        return Files.readString(config.resolve("webhook/manifests.yaml"), UTF_8)
                .replaceAll(
                        "service:\\n *name: webhook-service\\n *namespace: system\\n *path: (\\S+)",
                        "url: https://127.0.0.1:%d$1\n    caBundle: %s".formatted(port, authority));
    }

    String log() {
        try {
            return Files.readString(log, UTF_8);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    List<String> errors() {
        return log().lines().filter(line -> line.startsWith("E")).toList();
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
