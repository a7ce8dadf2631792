package dev.millwright.kube.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millwright.kube.certificate.Credentials;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Instant;
import java.util.List;
import java.util.regex.Pattern;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;

/// Speaks to a webhook as an API server does, and as nobody should.
final class WebhookClient {

    private static final int ANSWER_MILLIS_MAX = 60_000;
    private static final Pattern LENGTH = Pattern.compile("(?i)content-length: (\\d+)");

    private final SSLContext context;
    private final int port;

    WebhookClient(String authorities, int port) {
        this.port = port;
        try {
            var trusted = KeyStore.getInstance("PKCS12");
            trusted.load(null, null);
            trusted.setCertificateEntry(
                    "webhook",
                    CertificateFactory.getInstance("X.509")
                            .generateCertificate(
                                    new ByteArrayInputStream(authorities.getBytes(UTF_8))));
            var managers =
                    TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            managers.init(trusted);
            context = SSLContext.getInstance("TLS");
            context.init(null, managers.getTrustManagers(), null);
        } catch (GeneralSecurityException | IOException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    static Credentials credentials() {
        return Credentials.founded(null, List.of("127.0.0.1"), Instant.now());
    }

    static InetSocketAddress anyPort() {
        return new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0);
    }

    static String review(String pool) {
        return """
               {"apiVersion": "apiextensions.k8s.io/v1", "kind": "ConversionReview",
                "request": {"uid": "7", "desiredAPIVersion": "karpenter.sh/v1", "objects": [
                  {"apiVersion": "karpenter.sh/v1beta1", "kind": "NodeClaim",
                   "metadata": {"name": "a", "labels": {"karpenter.sh/nodepool": "%s"}},
                   "spec": {"requirements": [], "nodeClassRef": {"name": "a"}}}]}}
               """
                .formatted(pool);
    }

    /// An open connection to the webhook.
    SSLSocket connect() throws IOException {
        var socket = (SSLSocket) context.getSocketFactory().createSocket("127.0.0.1", port);
        socket.setSoTimeout(ANSWER_MILLIS_MAX);
        return socket;
    }

    static void sendHead(SSLSocket socket, String lengthHeader) throws IOException {
        socket.getOutputStream()
                .write(
                        ("POST /conversion/karpenter.sh HTTP/1.1\r\nHost: webhook\r\n"
                                        + "Connection: close\r\n"
                                        + lengthHeader
                                        + "\r\n\r\n")
                                .getBytes(UTF_8));
        socket.getOutputStream().flush();
    }

    static void sendBody(SSLSocket socket, byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        socket.getOutputStream().flush();
    }

    /// The whole answer, the status in its first line.
    static String answer(SSLSocket socket) throws IOException {
        var head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            var next = socket.getInputStream().read();
            if (next < 0) {
                throw new EOFException("found only \"%s\"".formatted(head));
            }
            head.append((char) next);
        }
        var length = LENGTH.matcher(head).results().findFirst().orElseThrow().group(1);
        return head
                + new String(socket.getInputStream().readNBytes(Integer.parseInt(length)), UTF_8);
    }

    String ask(byte[] question) throws IOException {
        try (var socket = connect()) {
            sendHead(socket, "Content-Length: " + question.length);
            sendBody(socket, question);
            return answer(socket);
        }
    }
}
