package dev.millwright.kube.certificate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import org.junit.jupiter.api.Test;

import java.security.GeneralSecurityException;
import java.security.cert.CertPathValidator;
import java.security.cert.CertificateFactory;
import java.security.cert.PKIXParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Set;

final class CredentialsTest {

    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private static final List<String> NAMES = List.of("karpenter.kube-system.svc", "127.0.0.1");

    private static void validate(X509Certificate certificate, X509Certificate authority, Instant at)
            throws GeneralSecurityException {
        var parameters = new PKIXParameters(Set.of(new TrustAnchor(authority, null)));
        parameters.setRevocationEnabled(false);
        parameters.setDate(Date.from(at));
        var path = CertificateFactory.getInstance("X.509").generateCertPath(List.of(certificate));
        CertPathValidator.getInstance("PKIX").validate(path, parameters);
    }

    @Test
    void aServerIsTrustedByItsAuthority() throws GeneralSecurityException {
        var made = Credentials.founded(null, NAMES, NOON);

        assertThatCode(
                        () ->
                                validate(
                                        made.certificate(),
                                        made.authorities().getFirst(),
                                        NOON.plus(Duration.ofDays(360))))
                .doesNotThrowAnyException();
        assertThat(made.names()).containsExactlyInAnyOrderElementsOf(NAMES);
        assertThat(made.certificate().getExtendedKeyUsage()).containsExactly("1.3.6.1.5.5.7.3.1");
        assertThat(made.certificate().getBasicConstraints()).isEqualTo(-1);
        assertThat(made.authorities().getFirst().getBasicConstraints()).isPositive();
    }

    @Test
    void textsAreReadAgain() {
        var made = Credentials.founded(null, NAMES, NOON);

        assertThat(Credentials.of(made.texts())).isEqualTo(made);
    }

    @Test
    void whatDoesNotBelongTogetherIsNothing() {
        var texts = Credentials.founded(null, NAMES, NOON).texts();
        texts.put("tls.crt", Credentials.founded(null, NAMES, NOON).texts().get("tls.crt"));

        assertThat(Credentials.of(texts)).isNull();
        assertThat(Credentials.of(Map.of())).isNull();
        assertThat(Credentials.of(Map.of("ca.crt", "x", "tls.crt", "y"))).isNull();
    }

    @Test
    void aCertificateIsDueBeforeItsEndOrUnderAnotherName() {
        var made = Credentials.founded(null, NAMES, NOON);

        assertThat(made.isDue(NAMES, NOON)).isFalse();
        assertThat(made.isDue(NAMES, NOON.plus(Duration.ofDays(250)))).isTrue();
        assertThat(made.isDue(List.of("other.kube-system.svc"), NOON)).isTrue();
    }

    @Test
    void aNewCertificateKeepsItsAuthority() {
        var made = Credentials.founded(null, NAMES, NOON);
        var renewed = made.renewed(NAMES, NOON.plus(Duration.ofDays(250)));

        assertThat(renewed.authorities()).isEqualTo(made.authorities());
        assertThat(renewed.certificate()).isNotEqualTo(made.certificate());
        assertThat(renewed.isDue(NAMES, NOON.plus(Duration.ofDays(250)))).isFalse();
    }

    @Test
    void anAuthorityThatEndsIsFollowedByOneBesideIt() throws GeneralSecurityException {
        var made = Credentials.founded(null, NAMES, NOON);
        var late = NOON.plus(Duration.ofDays(3_300));
        var renewed = made.renewed(NAMES, late);

        assertThat(renewed.authorities()).hasSize(2).endsWith(made.authorities().getFirst());
        validate(renewed.certificate(), renewed.authorities().getFirst(), late);
        assertThat(Credentials.of(renewed.texts())).isEqualTo(renewed);
    }
}
