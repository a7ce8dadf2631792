package dev.millwright.kube.client;

import dev.millwright.kube.time.Ticker;

import io.fabric8.kubernetes.client.OAuthTokenProvider;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/// The token of a service account, read again every minute: the kubelet replaces it long before it
/// expires.
final class TokenFile implements OAuthTokenProvider {

    private static final long AGE_MAX_NANOS = Duration.ofMinutes(1).toNanos();

    private final Path file;
    private final Ticker ticker;

    // Both guarded by this.
    private String token;
    private long readAtNanos;

    TokenFile(Path file, Ticker ticker) {
        this.file = file;
        this.ticker = ticker;
        try {
            this.token = Files.readString(file).strip();
        } catch (IOException unreadable) {
            throw new KubeAccessException(
                    "service account: %s cannot be read; mount the account's volume, or give a kubeconfig"
                            .formatted(file));
        }
        this.readAtNanos = ticker.nanos();
    }

    @Override
    public synchronized String getToken() {
        var now = ticker.nanos();
        if (now - readAtNanos > AGE_MAX_NANOS) {
            try {
                token = Files.readString(file).strip();
                readAtNanos = now;
            } catch (IOException unreadable) {
                // The old one may serve a while longer; the next request tries the file again.
            }
        }
        return token;
    }
}
