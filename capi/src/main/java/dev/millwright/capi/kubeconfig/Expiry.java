package dev.millwright.capi.kubeconfig;

import dev.millwright.kube.document.DocumentException;
import dev.millwright.kube.document.DocumentReader;
import dev.millwright.kube.document.Faults;
import dev.millwright.kube.document.Field;
import dev.millwright.kube.document.Source;
import dev.millwright.kube.document.Value;

import org.jspecify.annotations.Nullable;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Base64;
import java.util.regex.Pattern;

/// From when until when a credential is good.
record Expiry(Instant since, Instant until) {

    private static final String EKS_TOKEN = "k8s-aws-v1.";

    /// EKS counts from the signature, whatever the signed address says of itself.
    private static final Duration EKS_TOKEN_LIFE = Duration.ofMinutes(15);

    private static final Pattern SIGNED_AT = Pattern.compile("X-Amz-Date=([0-9]{8}T[0-9]{6}Z)");
    private static final DateTimeFormatter SIGNED =
            DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss'Z'");

    /// For a token that does not say since when it is good.
    private static final Duration LIFE_DEFAULT = Duration.ofHours(1);

    /// Time for a run of Terraform, and another one if it fails.
    private static final Duration MARGIN_MIN = Duration.ofMinutes(5);

    private static final Duration MARGIN_MAX = Duration.ofDays(30);

    /// A third of its life before the end.
    Instant renewAt() {
        var third = Duration.between(since, until).dividedBy(3);
        var margin =
                third.compareTo(MARGIN_MIN) < 0
                        ? MARGIN_MIN
                        : third.compareTo(MARGIN_MAX) > 0 ? MARGIN_MAX : third;
        return until.minus(margin);
    }

    /// What a kubeconfig is worth.
    sealed interface Reading {

        /// Not for ever perhaps, but nobody can tell from here.
        record Endless() implements Reading {}

        record Ending(Expiry expiry) implements Reading {}

        /// Nothing that a client could use.
        record Unusable() implements Reading {}
    }

    static Reading of(byte[] kubeconfig) {
        try {
            var documents =
                    DocumentReader.readAll(
                            Source.text(
                                    "kubeconfig", new String(kubeconfig, StandardCharsets.UTF_8)));
            return documents.size() == 1 && documents.getFirst() instanceof Value.Mapping mapping
                    ? of(Field.root("kubeconfig", mapping, new Faults()))
                    : new Reading.Unusable();
        } catch (DocumentException _) {
            return new Reading.Unusable(); // Its message might quote what must not be told.
        }
    }

    /// The soonest end of all users: a context may be chosen at any time.
    private static Reading of(Field kubeconfig) {
        if (kubeconfig.at("clusters").elements().isEmpty()) {
            return new Reading.Unusable();
        }
        Expiry soonest = null;
        for (var each : kubeconfig.at("users").elements()) {
            var user = each.at("user");
            for (var expiry :
                    new Expiry[] {
                        ofToken(user.at("token").text("")),
                        ofCertificate(user.at("client-certificate-data").text(""))
                    }) {
                if (expiry != null
                        && (soonest == null || expiry.until().isBefore(soonest.until()))) {
                    soonest = expiry;
                }
            }
        }
        return soonest == null ? new Reading.Endless() : new Reading.Ending(soonest);
    }

    static @Nullable Expiry ofToken(String token) {
        return token.startsWith(EKS_TOKEN)
                ? ofEksToken(token.substring(EKS_TOKEN.length()))
                : ofWebToken(token);
    }

    private static @Nullable Expiry ofEksToken(String packed) {
        var match = SIGNED_AT.matcher(unpacked(packed));
        if (!match.find()) {
            return null;
        }
        try {
            var since = LocalDateTime.parse(match.group(1), SIGNED).toInstant(ZoneOffset.UTC);
            return new Expiry(since, since.plus(EKS_TOKEN_LIFE));
        } catch (DateTimeParseException _) {
            return null;
        }
    }

    private static @Nullable Expiry ofWebToken(String token) {
        var parts = token.split("\\.", -1);
        if (parts.length != 3) {
            return null;
        }
        try {
            var claims = DocumentReader.readAll(Source.text("token", unpacked(parts[1])));
            if (claims.size() != 1 || !(claims.getFirst() instanceof Value.Mapping mapping)) {
                return null;
            }
            var field = Field.root("token", mapping, new Faults());
            var until = field.at("exp").whole(0, Integer.MAX_VALUE * 8L);
            if (until == null) {
                return null;
            }
            var end = Instant.ofEpochSecond(until);
            var since = field.at("iat").whole(0, until);
            return new Expiry(
                    since == null ? end.minus(LIFE_DEFAULT) : Instant.ofEpochSecond(since), end);
        } catch (DocumentException _) {
            return null;
        }
    }

    private static String unpacked(String packed) {
        try {
            return new String(Base64.getUrlDecoder().decode(packed), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException _) {
            return "";
        }
    }

    static @Nullable Expiry ofCertificate(String packed) {
        if (packed.isEmpty()) {
            return null;
        }
        try {
            var bytes = Base64.getMimeDecoder().decode(packed);
            return CertificateFactory.getInstance("X.509")
                                    .generateCertificate(new ByteArrayInputStream(bytes))
                            instanceof X509Certificate certificate
                    ? new Expiry(
                            certificate.getNotBefore().toInstant(),
                            certificate.getNotAfter().toInstant())
                    : null;
        } catch (CertificateException | IllegalArgumentException _) {
            return null;
        }
    }
}
