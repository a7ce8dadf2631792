package dev.millwright.kube.certificate;

import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// Makes certificates: X.509 of version 3, on the curve P-256.
final class Issue {

    /// Clocks of others may be behind.
    private static final Duration SLACK = Duration.ofMinutes(10);

    private static final Pattern ADDRESS = Pattern.compile("[0-9]+(\\.[0-9]+){3}|.*:.*");

    private static final byte[] ECDSA_WITH_SHA256 =
            Der.sequence(Der.name(1, 2, 840, 10045, 4, 3, 2));
    private static final byte[] COMMON_NAME = Der.name(2, 5, 4, 3);
    private static final byte[] CONSTRAINTS = Der.name(2, 5, 29, 19);
    private static final byte[] USAGE = Der.name(2, 5, 29, 15);
    private static final byte[] EXTENDED_USAGE = Der.name(2, 5, 29, 37);
    private static final byte[] ALTERNATIVE_NAMES = Der.name(2, 5, 29, 17);
    private static final byte[] SERVER = Der.name(1, 3, 6, 1, 5, 5, 7, 3, 1);

    private static final SecureRandom RANDOM = new SecureRandom();

    private Issue() {}

    /// Who signs, and by which name it is known.
    record Signer(String name, PrivateKey key) {}

    static KeyPair keys() throws GeneralSecurityException {
        var generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"), RANDOM);
        return generator.generateKeyPair();
    }

    /// An authority that vouches for itself.
    static X509Certificate authority(String name, KeyPair keys, Instant now, Duration life)
            throws GeneralSecurityException {
        var extensions =
                Der.sequence(
                        critical(CONSTRAINTS, Der.sequence(Der.truth())),
                        critical(USAGE, Der.bits(2, (byte) 0x04)));
        return signed(
                new Signer(name, keys.getPrivate()),
                name,
                keys.getPublic(),
                validity(now, life),
                extensions);
    }

    /// A server of these names and addresses.
    static X509Certificate server(
            Signer signer, PublicKey key, List<String> names, Instant now, Duration life)
            throws GeneralSecurityException {
        var extensions =
                Der.sequence(
                        critical(CONSTRAINTS, Der.sequence()),
                        critical(USAGE, Der.bits(7, (byte) 0x80)),
                        plain(EXTENDED_USAGE, Der.sequence(SERVER)),
                        plain(ALTERNATIVE_NAMES, alternatives(names)));
        return signed(signer, names.getFirst(), key, validity(now, life), extensions);
    }

    private static byte[] validity(Instant now, Duration life) {
        return Der.sequence(Der.time(now.minus(SLACK)), Der.time(now.plus(life)));
    }

    private static byte[] alternatives(List<String> names) throws GeneralSecurityException {
        var parts = new ArrayList<byte[]>();
        for (var name : names) {
            parts.add(
                    ADDRESS.matcher(name).matches()
                            ? Der.implicit(7, address(name))
                            : Der.implicit(2, name.getBytes(StandardCharsets.US_ASCII)));
        }
        return Der.sequence(parts.toArray(byte[][]::new));
    }

    private static byte[] address(String text) throws GeneralSecurityException {
        try {
            return InetAddress.getByName(text).getAddress(); // Digits are not looked up.
        } catch (UnknownHostException wrong) {
            throw new GeneralSecurityException(text + " is no address", wrong);
        }
    }

    private static byte[] critical(byte[] name, byte[] content) {
        return Der.sequence(name, Der.truth(), Der.octets(content));
    }

    private static byte[] plain(byte[] name, byte[] content) {
        return Der.sequence(name, Der.octets(content));
    }

    private static byte[] known(String name) {
        return Der.sequence(Der.set(Der.sequence(COMMON_NAME, Der.text(name))));
    }

    private static X509Certificate signed(
            Signer signer, String subject, PublicKey key, byte[] validity, byte[] extensions)
            throws GeneralSecurityException {
        var body =
                Der.sequence(
                        Der.explicit(0, Der.integer(BigInteger.TWO)),
                        Der.integer(new BigInteger(127, RANDOM).add(BigInteger.ONE)),
                        ECDSA_WITH_SHA256,
                        known(signer.name()),
                        validity,
                        known(subject),
                        key.getEncoded(),
                        Der.explicit(3, extensions));
        var signature = Signature.getInstance("SHA256withECDSA");
        signature.initSign(signer.key(), RANDOM);
        signature.update(body);
        var whole = Der.sequence(body, ECDSA_WITH_SHA256, Der.bits(0, signature.sign()));
        return (X509Certificate)
                CertificateFactory.getInstance("X.509")
                        .generateCertificate(new ByteArrayInputStream(whole));
    }
}
