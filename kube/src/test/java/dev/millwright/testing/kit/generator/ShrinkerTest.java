package dev.millwright.testing.kit.generator;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.EnumSet;

class ShrinkerTest {

    private static boolean isSpread(Document document) {
        return document.contains("maxSkew", skew -> true);
    }

    private static Document failing() {
        return Worlds.document(3, 20, EnumSet.allOf(Feature.class));
    }

    @Test
    void nothingIsLeftButWhatFails() {
        var smallest = Shrinker.shrink(failing(), ShrinkerTest::isSpread);

        assertThat(isSpread(smallest)).isTrue();
        assertThat(smallest.items()).hasSize(1);
        assertThat(smallest.instanceTypes()).hasSize(1);
    }

    @Test
    void aDocumentThatCannotBeJudgedDoesNotCount() {
        var smallest =
                Shrinker.shrink(
                        failing(),
                        document -> {
                            Snapshots.problem(document);
                            return isSpread(document);
                        });

        assertThat(Snapshots.problem(smallest).snapshot().pods()).hasSize(1);
    }
}
