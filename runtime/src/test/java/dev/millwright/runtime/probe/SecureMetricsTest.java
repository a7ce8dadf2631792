package dev.millwright.runtime.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millwright.kube.certificate.Credentials;
import dev.millwright.kube.certificate.ServerIdentity;
import dev.millwright.runtime.metrics.Metrics;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Instant;
import java.util.List;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.TrustManagerFactory;

/// Metrics by HTTPS to those who may read them.
final class SecureMetricsTest {

    private static final List<String> NAMES = List.of("localhost", "127.0.0.1");

    @TempDir private Path directory;

    private final Reviewer reviewer = new Reviewer();
    private final Credentials credentials = Credentials.founded(null, NAMES, Instant.now());

    private ProbeServer served(ServingKeys keys) throws IOException {
        var loopback = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        var log = new SilentLog();
        return ProbeServer.start(
                new ProbeServer.Addresses(loopback, loopback),
                new ProbeServer.Access(
                        keys.context(), new ReviewGuard(reviewer, Instant::now, log)),
                new ProbeServer.Content(new Metrics(List.of()), List.of(), List.of(), false),
                log);
    }

    private void write(Credentials written) throws IOException {
        var texts = written.texts();
        Files.writeString(directory.resolve("tls.crt"), texts.get("tls.crt"));
        Files.writeString(directory.resolve("tls.key"), texts.get("tls.key"));
    }

    private ServingKeys files() throws IOException {
        return ServingKeys.open(
                ServingKeys.Source.directory(directory), Instant::now, new SilentLog());
    }

    private HttpResponse<String> get(int port, String token) throws Exception {
        try (var client = HttpClient.newBuilder().sslContext(trusting(credentials)).build()) {
            var request =
                    HttpRequest.newBuilder(
                            URI.create("https://localhost:%d/metrics".formatted(port)));
            if (!token.isEmpty()) {
                request.header("Authorization", "Bearer " + token);
            }
            return client.send(request.build(), BodyHandlers.ofString());
        }
    }

    private static SSLContext trusting(Credentials trusted) throws Exception {
        var store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        var bytes = trusted.bundle().getBytes(StandardCharsets.US_ASCII);
        store.setCertificateEntry(
                "authority",
                CertificateFactory.getInstance("X.509")
                        .generateCertificate(new ByteArrayInputStream(bytes)));
        var managers = TrustManagerFactory.getInstance("PKIX");
        managers.init(store);
        var context = SSLContext.getInstance("TLS");
        context.init(null, managers.getTrustManagers(), null);
        return context;
    }

    @Test
    void eachVerdictHasItsStatus() throws Exception {
        write(credentials);
        try (var keys = files();
                var server = served(keys)) {
            var port = server.metricsPort();
            assertThat(get(port, "").statusCode()).isEqualTo(401);
            assertThat(get(port, "good").statusCode()).isEqualTo(200);
            reviewer.isAllowed = false;
            assertThat(get(port, "other").statusCode()).isEqualTo(403);
            reviewer.isKnown = false;
            assertThat(get(port, "stranger").statusCode()).isEqualTo(401);
            assertThat(get(port, "stranger").body()).doesNotContain("stranger");
        }
    }

    @Test
    void anotherAuthoritysCertificateIsNotTrusted() throws Exception {
        write(Credentials.founded(null, NAMES, Instant.now()));
        try (var keys = files();
                var server = served(keys)) {
            var port = server.metricsPort();
            assertThatThrownBy(() -> get(port, "good")).isInstanceOf(SSLHandshakeException.class);
        }
    }

    @Test
    void filesAreReadAgainOnceTheyChanged() throws Exception {
        write(credentials);
        var source = ServingKeys.Source.directory(directory);
        var now = Instant.now();
        assertThat(source.next(now)).isNotNull();
        assertThat(source.next(now)).isNull();
        write(credentials.renewed(NAMES, now));
        assertThat(source.next(now)).isNotNull();
    }

    @Test
    void ourOwnCertificateIsRenewedLongBeforeItEnds() throws Exception {
        var source = ServingKeys.Source.ownMaking(NAMES);
        var now = Instant.now();
        var first = source.next(now);
        assertThat(source.next(now.plusSeconds(3_600))).isNull();
        var later = source.next(end(first).minusSeconds(3_600));
        assertThat(end(later)).isAfter(end(first));
    }

    private static Instant end(@Nullable ServerIdentity identity) {
        return identity.chain().getFirst().getNotAfter().toInstant();
    }

    @Test
    void aKeyThatCannotBeReadIsToldWithoutIt() throws IOException {
        write(credentials);
        Files.writeString(directory.resolve("tls.key"), "-----BEGIN RSA PRIVATE KEY-----\nMIIE");
        assertThatThrownBy(this::files)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("tls.crt")
                .hasMessageContaining("PKCS#8")
                .hasMessageNotContaining("MIIE");
    }

    @Test
    void withoutAnAddressNoMetricsAreServed() throws IOException {
        var loopback = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (var server =
                ProbeServer.start(
                        new ProbeServer.Addresses(null, loopback),
                        new ProbeServer.Content(
                                new Metrics(List.of()), List.of(), List.of(), false),
                        new SilentLog())) {
            assertThat(server.healthPort()).isPositive();
            assertThatThrownBy(server::metricsPort).isInstanceOf(IllegalStateException.class);
        }
    }
}
