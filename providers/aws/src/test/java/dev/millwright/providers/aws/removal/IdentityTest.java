package dev.millwright.providers.aws.removal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.providers.aws.api.Asked;
import dev.millwright.providers.aws.api.AwsFault;
import dev.millwright.providers.aws.api.EksApi;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class IdentityTest {

    private static final String AT = "https://ABC.gr7.eu-central-1.eks.amazonaws.com";
    private static final String AUTHORITY = "Y2VydGlmaWNhdGU=";
    private static final Asked<EksApi.Cluster> KNOWN =
            new Asked.Told<>(new EksApi.Cluster("arn", AT, AUTHORITY, "1.35", "", ""));
    private static final Asked<EksApi.Cluster> UNKNOWN =
            new Asked.Refused<>(AwsFault.refused("ResourceNotFoundException", "No cluster found"));
    private static final Asked<EksApi.Cluster> FORBIDDEN =
            new Asked.Refused<>(AwsFault.refused("AccessDeniedException", "not you"));

    private static Identity identity(
            Asked<EksApi.Cluster> eks, Identity.@Nullable Server server, String endpoint) {
        return Identity.of("shop", eks, server, endpoint);
    }

    private static Identity.Server at(String url) {
        return new Identity.Server(url, "b3RoZXI=");
    }

    private static String why(Identity identity) {
        assertThat(identity).isInstanceOf(Identity.Refused.class);
        return ((Identity.Refused) identity).why();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://abc.gr7.eu-central-1.eks.amazonaws.com",
                "https://ABC.gr7.eu-central-1.eks.amazonaws.com:443/"
            })
    void theAddressThatEksTellsIsProof(String url) {
        assertThat(identity(KNOWN, at(url), "")).isInstanceOf(Identity.Proven.class);
    }

    @Test
    void aPodKnowsItsClusterByTheAuthorityAlone() {
        assertThat(identity(KNOWN, new Identity.Server("", "Y2VydGlm\naWNhdGU=\n"), ""))
                .isInstanceOf(Identity.Proven.class);
    }

    @Test
    void anotherClusterIsRefusedWhateverThePersonSays() {
        var other = "https://XYZ.gr7.eu-central-1.eks.amazonaws.com";

        assertThat(why(identity(KNOWN, at(other), other))).contains(other, AT, "--context");
    }

    @Test
    void anotherPortOfTheSameMachineIsAnotherCluster() {
        assertThat(identity(UNKNOWN, at("https://127.0.0.1:6443"), "https://127.0.0.1:7443"))
                .isInstanceOf(Identity.Refused.class);
    }

    @Test
    void serversWithoutAuthorityAreNotTheSameForThat() {
        var silent = new Asked.Told<>(new EksApi.Cluster("arn", AT, "", "1.35", "", ""));

        assertThat(identity(silent, new Identity.Server("", ""), ""))
                .isInstanceOf(Identity.Refused.class);
    }

    @Test
    void aClusterThatEksDoesNotKnowIsTakenAtItsAddress() {
        assertThat(identity(UNKNOWN, at("https://10.0.0.1:6443"), "https://10.0.0.1:6443"))
                .isInstanceOf(Identity.Proven.class);
        assertThat(why(identity(UNKNOWN, at("https://10.0.0.1:6443"), "")))
                .contains("--cluster-endpoint");
        assertThat(why(identity(FORBIDDEN, at("https://10.0.0.1:6443"), "")))
                .contains("AccessDeniedException");
    }

    @Test
    void aClusterThatNobodyKnowsIsGone() {
        assertThat(identity(UNKNOWN, null, "")).isInstanceOf(Identity.Gone.class);
    }

    @Test
    void aServerThatOnlyDoesNotAnswerIsNotTakenForGone() {
        assertThat(why(identity(KNOWN, null, ""))).contains(AT, "--cloud-only");
        assertThat(why(identity(FORBIDDEN, null, ""))).contains("--cloud-only");
    }
}
