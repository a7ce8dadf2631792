package dev.millwright.testing.e2e;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/// Asks a manager for its metrics, as Prometheus does.
public final class Scrape {

    /// An answer's status and body.
    public record Answer(int status, String body) {}

    private Scrape() {}

    /// Over TLS or not; an empty token sends none. Status 0 where there is no answer.
    public static Answer get(String address, String token) {
        try (var client = HttpClient.newBuilder().sslContext(trustingAll()).build()) {
            var request = HttpRequest.newBuilder(URI.create(address));
            if (!token.isEmpty()) {
                request.header("Authorization", "Bearer " + token);
            }
            var response = client.send(request.build(), BodyHandlers.ofString());
            return new Answer(response.statusCode(), response.body());
        } catch (IOException failure) {
            return new Answer(0, String.valueOf(failure));
        } catch (InterruptedException failure) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while asking " + address, failure);
        }
    }

    /// As a scraper with `insecureSkipVerify`: the certificate is of the manager's own making.
    private static SSLContext trustingAll() {
        try {
            var context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {new AllTrusting()}, null);
            return context;
        } catch (GeneralSecurityException impossible) {
            throw new AssertionError("every JDK knows TLS", impossible);
        }
    }

    private static final class AllTrusting extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
