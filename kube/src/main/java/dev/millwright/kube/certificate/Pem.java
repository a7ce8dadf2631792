package dev.millwright.kube.certificate;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;

/// Certificates and keys as text.
final class Pem {

    private static final int LINE = 64;
    private static final String KEY = "PRIVATE KEY";

    private Pem() {}

    static String of(PrivateKey key) {
        return block(KEY, key.getEncoded());
    }

    static String of(List<X509Certificate> certificates) {
        return certificates.stream().map(Pem::of).collect(Collectors.joining());
    }

    private static String of(X509Certificate certificate) {
        try {
            return block("CERTIFICATE", certificate.getEncoded());
        } catch (CertificateException impossible) {
            throw new IllegalStateException("a certificate that was read is written", impossible);
        }
    }

    private static String block(String what, byte[] bytes) {
        var lines = Base64.getMimeEncoder(LINE, new byte[] {'\n'}).encodeToString(bytes);
        return "-----BEGIN %1$s-----\n%2$s\n-----END %1$s-----\n".formatted(what, lines);
    }

    static List<X509Certificate> certificates(String text) throws GeneralSecurityException {
        var bytes = new ByteArrayInputStream(text.getBytes(StandardCharsets.US_ASCII));
        return CertificateFactory.getInstance("X.509").generateCertificates(bytes).stream()
                .map(X509Certificate.class::cast)
                .toList();
    }

    static PrivateKey key(String text) throws GeneralSecurityException {
        var plain =
                text.replace("-----BEGIN " + KEY + "-----", "")
                        .replace("-----END " + KEY + "-----", "");
        try {
            var bytes = Base64.getMimeDecoder().decode(plain);
            return KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(bytes));
        } catch (IllegalArgumentException notBase64) {
            throw new GeneralSecurityException("is no key", notBase64);
        }
    }
}
