package dev.millwright.kube.webhook;

import dev.millwright.kube.certificate.Credentials;

import org.jspecify.annotations.Nullable;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.concurrent.atomic.AtomicReference;

import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;

/// Hands each new connection the certificate of the moment.
final class RotatingKeys extends X509ExtendedKeyManager {

    private static final String ALIAS = "current";

    private final AtomicReference<@Nullable Credentials> current = new AtomicReference<>();

    void use(Credentials credentials) {
        current.set(credentials);
    }

    @Nullable Credentials current() {
        return current.get();
    }

    @Override
    public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
        return new String[] {ALIAS};
    }

    @Override
    public @Nullable String chooseServerAlias(
            String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return chosen(keyType);
    }

    @Override
    public @Nullable String chooseEngineServerAlias(
            String keyType, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
        return chosen(keyType);
    }

    private @Nullable String chosen(String keyType) {
        return current.get() != null && keyType.startsWith("EC") ? ALIAS : null;
    }

    @Override
    public X509Certificate @Nullable [] getCertificateChain(String alias) {
        var credentials = current.get();
        return credentials == null ? null : new X509Certificate[] {credentials.certificate()};
    }

    @Override
    public @Nullable PrivateKey getPrivateKey(String alias) {
        var credentials = current.get();
        return credentials == null ? null : credentials.key();
    }

    /// We are nobody's client.
    @Override
    public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
        return null;
    }

    @Override
    public @Nullable String chooseClientAlias(
            String[] keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return null;
    }
}
