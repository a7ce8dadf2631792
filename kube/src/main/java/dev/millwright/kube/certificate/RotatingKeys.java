package dev.millwright.kube.certificate;

import org.jspecify.annotations.Nullable;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.concurrent.atomic.AtomicReference;

import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;

/// Hands each new connection the certificate of the moment.
public final class RotatingKeys extends X509ExtendedKeyManager {

    private static final String ALIAS = "current";

    private final AtomicReference<@Nullable ServerIdentity> current = new AtomicReference<>();

    /// From the next connection on.
    public void use(ServerIdentity identity) {
        current.set(identity);
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
        var identity = current.get();
        return identity != null && keyType.startsWith(identity.key().getAlgorithm()) ? ALIAS : null;
    }

    @Override
    public X509Certificate @Nullable [] getCertificateChain(String alias) {
        var identity = current.get();
        return identity == null ? null : identity.chain().toArray(X509Certificate[]::new);
    }

    @Override
    public @Nullable PrivateKey getPrivateKey(String alias) {
        var identity = current.get();
        return identity == null ? null : identity.key();
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
