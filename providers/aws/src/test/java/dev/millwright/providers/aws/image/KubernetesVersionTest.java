package dev.millwright.providers.aws.image;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class KubernetesVersionTest {

    @Test
    void readsWhatEksAndApiServersSay() {
        assertThat(KubernetesVersion.parse("1.31")).isEqualTo(new KubernetesVersion(1, 31));
        assertThat(KubernetesVersion.parse("1.31+")).isEqualTo(new KubernetesVersion(1, 31));
        assertThat(KubernetesVersion.parse("v1.31.4-eks-1234"))
                .isEqualTo(new KubernetesVersion(1, 31));
        assertThat(KubernetesVersion.parse("latest")).isNull();
        assertThat(KubernetesVersion.parse("1.99999999999")).isNull();
    }

    @Test
    void tellsVersionsItWasNotMadeFor() {
        assertThat(new KubernetesVersion(1, 26).unsupported()).isNull();
        assertThat(new KubernetesVersion(1, 36).unsupported()).isNull();
        assertThat(new KubernetesVersion(1, 25).unsupported()).contains("1.25", "1.26 to 1.36");
        assertThat(new KubernetesVersion(1, 37).unsupported()).contains("1.37");
    }
}
