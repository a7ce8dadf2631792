package dev.millwright.spi.ec2;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.label.Operator;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;

/// What the controller looks at beyond the API server.
@Tag("AWS-A15")
class KnownValuesTest {

    private static boolean isRefused(String key, List<String> values) {
        var vocabulary = Ec2Labels.VOCABULARY;
        return vocabulary.problem(vocabulary.requirement(key, Operator.IN, null, values)) != null;
    }

    @ParameterizedTest
    @CsvSource({
        "karpenter.k8s.aws/instance-tenancy, default",
        "karpenter.k8s.aws/instance-tenancy, dedicated",
        "karpenter.sh/capacity-type, spot"
    })
    void aValueThatIsUnknownIsRefusedUnlessOneIsKnown(String key, String known) {
        assertThat(isRefused(key, List.of("unheard-of"))).isTrue();
        assertThat(isRefused(key, List.of("unheard-of", known))).isFalse();
        assertThat(isRefused(key, List.of(known))).isFalse();
    }
}
