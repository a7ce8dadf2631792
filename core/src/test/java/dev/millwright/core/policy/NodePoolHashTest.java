package dev.millwright.core.policy;

import static dev.millwright.core.label.Effect.NO_EXECUTE;
import static dev.millwright.testing.kit.Given.in;
import static dev.millwright.testing.kit.Given.nodePool;
import static dev.millwright.testing.kit.Given.taint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.label.Taint;
import dev.millwright.core.policy.NodePool.NodeClassRef;
import dev.millwright.core.policy.NodePoolHash.HashInput;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The hash of a NodePool's template is Karpenter's own; the numbers were made by running it.
final class NodePoolHashTest {

    private static final NodeClassRef KWOK =
            new NodeClassRef("karpenter.kwok.sh", "KWOKNodeClass", "default");
    private static final Duration MONTH = Duration.ofDays(30);

    @Test
    void aTemplateWithANodeClassAloneHasKarpentersHash() {
        assertThat(hash(plain(null, null))).isEqualTo("7428780003907761376");
    }

    @Test
    void aTemplateThatExpiresHasKarpentersHash() {
        assertThat(hash(plain(null, MONTH))).isEqualTo("12745407319442031341");
    }

    @Test
    void aTemplateWithEverythingHasKarpentersHash() {
        var input =
                new HashInput(
                        new TreeMap<>(Map.of("team", "a")),
                        new TreeMap<>(Map.of("note", "x")),
                        List.of(taint("k", "v")),
                        List.of(new Taint("s", "", NO_EXECUTE)),
                        KWOK,
                        Duration.ofHours(1),
                        MONTH);

        assertThat(hash(input)).isEqualTo("10943838092310531324");
    }

    @Test
    void noTimeAtAllIsNotTheSameAsNoTimeGiven() {
        assertThat(hash(plain(Duration.ZERO, Duration.ZERO))).isEqualTo("11201156090959835969");
    }

    @Test
    void theOrderOfTaintsDoesNotMatter() {
        var one = nodePool("a").taint(taint("x", "1")).taint(taint("y", "2")).nodePool();
        var other = nodePool("b").taint(taint("y", "2")).taint(taint("x", "1")).nodePool();

        assertThat(hash(one)).isEqualTo(hash(other));
    }

    @Test
    void requirementsAndLimitsAreNotHashed() {
        var pool = nodePool("a").label("team", "a");
        var changed = pool.requirement(in("size", "large")).limit("cpu", "9").weight(7);

        assertThat(hash(changed.nodePool())).isEqualTo(hash(pool.nodePool()));
    }

    @Test
    void aChangedLabelChangesTheHash() {
        assertThat(hash(nodePool("a").label("team", "a").nodePool()))
                .isNotEqualTo(hash(nodePool("a").label("team", "b").nodePool()));
    }

    @Test
    void anEmptyListThatIsWrittenDownIsNotOneLeftOut() {
        var written = new HashInput(null, null, List.of(), null, KWOK, null, null);

        assertThat(hash(written)).isNotEqualTo(hash(plain(null, null)));
    }

    private static HashInput plain(@Nullable Duration grace, @Nullable Duration expireAfter) {
        return new HashInput(null, null, null, null, KWOK, grace, expireAfter);
    }

    private static String hash(HashInput input) {
        return NodePoolHash.of(input);
    }

    private static String hash(NodePool nodePool) {
        return hash(HashInput.of(nodePool.template(), null, MONTH));
    }
}
