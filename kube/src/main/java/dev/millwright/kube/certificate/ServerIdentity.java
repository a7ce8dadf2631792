package dev.millwright.kube.certificate;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;

/// What a server shows to its clients, and the key it proves it by.
///
/// @param chain the server's own certificate first
public record ServerIdentity(List<X509Certificate> chain, PrivateKey key) {

    private static final String BEGIN = "-----BEGIN PRIVATE KEY-----";
    private static final String END = "-----END PRIVATE KEY-----";

    public ServerIdentity {
        chain = List.copyOf(chain);
    }

    /// Of a Secret's `tls.crt` and `tls.key`.
    ///
    /// @throws IOException when they are none; its message is for a person and holds no key
    public static ServerIdentity of(String certificates, String key) throws IOException {
        try {
            var chain = Pem.certificates(certificates);
            if (chain.isEmpty()) {
                throw new IOException("the certificate's file is empty; wanted PEM");
            }
            var algorithm = chain.getFirst().getPublicKey().getAlgorithm();
            return new ServerIdentity(chain, key(key, algorithm));
        } catch (GeneralSecurityException | IllegalArgumentException unreadable) {
            throw new IOException(
                    "the certificate or its key cannot be read; wanted PEM, the key as PKCS#8 (cert-manager: privateKey.encoding: PKCS8)",
                    unreadable);
        }
    }

    private static PrivateKey key(String text, String algorithm) throws GeneralSecurityException {
        var begin = text.indexOf(BEGIN);
        var end = text.indexOf(END);
        if (begin < 0 || end < begin) {
            throw new GeneralSecurityException("there is no PKCS#8 key");
        }
        var bytes = Base64.getMimeDecoder().decode(text.substring(begin + BEGIN.length(), end));
        return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(bytes));
    }

    /// A key is not for printing.
    @Override
    public String toString() {
        return "identity of " + chain.getFirst().getSubjectX500Principal();
    }
}
