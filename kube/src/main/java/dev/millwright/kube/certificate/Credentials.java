package dev.millwright.kube.certificate;

import org.jspecify.annotations.Nullable;

import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// A server's certificate and key, and the authority behind them. An authority outlives many
/// certificates; when it is followed by another both are trusted for a while.
///
/// @param authorities the one that signs first
public record Credentials(
        List<X509Certificate> authorities,
        PrivateKey authorityKey,
        X509Certificate certificate,
        PrivateKey key) {

    private static final Duration AUTHORITY_LIFE = Duration.ofDays(3_650);
    private static final Duration LIFE = Duration.ofDays(365);

    /// A certificate is followed by another when less is left of it.
    private static final Duration RENEWED_BEFORE = Duration.ofDays(120);

    /// Authorities that are trusted at once.
    private static final int AUTHORITIES_MAX = 3;

    private static final int DNS = 2;
    private static final int ADDRESS = 7;

    private static final String AUTHORITY = "ca.crt";
    private static final String AUTHORITY_KEY = "ca.key";
    private static final String CERTIFICATE = "tls.crt";
    private static final String KEY = "tls.key";

    public Credentials {
        authorities = List.copyOf(authorities);
    }

    /// A new certificate of the same authority, or of a new one when that ends soon.
    public Credentials renewed(List<String> names, Instant now) {
        try {
            return outlives(now) ? signed(names, now) : founded(authorities, names, now);
        } catch (GeneralSecurityException failure) {
            throw impossible(failure);
        }
    }

    /// Of a new authority. Those of `before` stay trusted, since certificates of theirs are served.
    public static Credentials founded(
            @Nullable Credentials before, List<String> names, Instant now) {
        try {
            return founded(before == null ? List.of() : before.authorities(), names, now);
        } catch (GeneralSecurityException failure) {
            throw impossible(failure);
        }
    }

    private static Credentials founded(
            List<X509Certificate> before, List<String> names, Instant now)
            throws GeneralSecurityException {
        var keys = Issue.keys();
        var name = "millwright-" + HexFormat.of().toHexDigits(now.toEpochMilli());
        var authority = Issue.authority(name, keys, now, AUTHORITY_LIFE);
        var trusted = new ArrayList<>(List.of(authority));
        before.stream().limit(AUTHORITIES_MAX - 1).forEach(trusted::add);
        return new Credentials(trusted, keys.getPrivate(), authority, keys.getPrivate())
                .signed(names, now);
    }

    private static IllegalStateException impossible(GeneralSecurityException failure) {
        return new IllegalStateException("this JDK makes no certificate on P-256", failure);
    }

    private boolean outlives(Instant now) {
        var end = authorities.getFirst().getNotAfter().toInstant();
        return now.plus(LIFE).isBefore(end);
    }

    private Credentials signed(List<String> names, Instant now) throws GeneralSecurityException {
        var keys = Issue.keys();
        var authority = authorities.getFirst();
        var name = authority.getSubjectX500Principal().getName().replaceFirst("^CN=", "");
        var made =
                Issue.server(
                        new Issue.Signer(name, authorityKey), keys.getPublic(), names, now, LIFE);
        return new Credentials(authorities, authorityKey, made, keys.getPrivate());
    }

    /// Whether a new certificate is to be made: this one ends soon, or is of another server.
    public boolean isDue(Collection<String> names, Instant now) {
        var end = certificate.getNotAfter().toInstant();
        return !now.plus(RENEWED_BEFORE).isBefore(end) || !names().containsAll(names);
    }

    /// The server's names and addresses.
    Set<String> names() {
        var names = new TreeSet<String>();
        try {
            var all = certificate.getSubjectAlternativeNames();
            if (all != null) {
                for (var each : all) {
                    var kind = (Integer) each.getFirst();
                    if (kind == DNS || kind == ADDRESS) {
                        names.add(String.valueOf(each.get(1)));
                    }
                }
            }
        } catch (GeneralSecurityException unreadable) {
            return Set.of();
        }
        return names;
    }

    /// What the server shows.
    public ServerIdentity identity() {
        return new ServerIdentity(List.of(certificate), key);
    }

    /// The certificates by which the server is trusted.
    public String bundle() {
        return Pem.of(authorities);
    }

    /// As the entries of a Secret.
    public SequencedMap<String, String> texts() {
        var texts = new TreeMap<String, String>();
        texts.put(AUTHORITY, bundle());
        texts.put(AUTHORITY_KEY, Pem.of(authorityKey));
        texts.put(CERTIFICATE, Pem.of(List.of(certificate)));
        texts.put(KEY, Pem.of(key));
        return texts;
    }

    /// Null when they are not complete, or not of one another.
    public static @Nullable Credentials of(Map<String, String> texts) {
        try {
            var authorities = Pem.certificates(texts.getOrDefault(AUTHORITY, ""));
            var own = Pem.certificates(texts.getOrDefault(CERTIFICATE, ""));
            if (authorities.isEmpty() || own.isEmpty()) {
                return null;
            }
            own.getFirst().verify(authorities.getFirst().getPublicKey());
            return new Credentials(
                    authorities,
                    Pem.key(texts.getOrDefault(AUTHORITY_KEY, "")),
                    own.getFirst(),
                    Pem.key(texts.getOrDefault(KEY, "")));
        } catch (GeneralSecurityException broken) {
            return null;
        }
    }
}
