package dev.millwright.core.explain;

import static dev.millwright.testing.kit.Given.cluster;
import static dev.millwright.testing.kit.Given.exists;
import static dev.millwright.testing.kit.Given.in;
import static dev.millwright.testing.kit.Given.instanceType;
import static dev.millwright.testing.kit.Given.node;
import static dev.millwright.testing.kit.Given.nodePool;
import static dev.millwright.testing.kit.Given.notIn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.catalog.Offering;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.Requirements;
import dev.millwright.testing.kit.ClusterPart;
import dev.millwright.testing.kit.InstanceTypeBuilder;

import org.junit.jupiter.api.Test;

/// Which values a label takes somewhere in a cluster.
final class KnownValuesTest {

    private static final InstanceTypeBuilder SMALL = instanceType("small");

    private static KnownValues known(ClusterPart... parts) {
        return new KnownValues(cluster().selling(SMALL).with(parts).problem());
    }

    @Test
    void poolsAreKnownByTheirNames() {
        var known = known(nodePool("b"), nodePool("a"), node("x").label(LabelKeys.NODE_POOL, "c"));

        assertThat(known.of(LabelKeys.NODE_POOL)).containsExactly("a", "b");
    }

    @Test
    void typesAndTheirOfferingsSayWhatThereIs() {
        assertThat(known().of(LabelKeys.INSTANCE_TYPE)).containsExactly("small");
        assertThat(known().of(LabelKeys.ZONE))
                .containsExactly("test-zone-1", "test-zone-2", "test-zone-3");
    }

    @Test
    void anOfferingKnowsWhatItsTypeDoesNotSay() {
        var offering =
                new Offering(
                        Requirements.of(
                                in(LabelKeys.ZONE, "z"),
                                in(LabelKeys.CAPACITY_TYPE, "spot"),
                                in("rack", "7")),
                        1,
                        true,
                        0,
                        Offering.Overrides.NONE,
                        false);
        var problem = cluster().selling(SMALL.offering(offering)).problem();

        assertThat(new KnownValues(problem).of("rack")).containsExactly("7");
    }

    @Test
    void whatATypeMerelyExcludesIsNoValue() {
        var problem = cluster().selling(SMALL.requirement(notIn("disk", "tape"))).problem();

        assertThat(new KnownValues(problem).of("disk")).isEmpty();
    }

    @Test
    void whatTheVocabularyListsIsKnownThoughNobodySellsIt() {
        assertThat(known().of(LabelKeys.CAPACITY_TYPE))
                .containsExactly("on-demand", "reserved", "spot");
    }

    @Test
    void labelsOfPoolsAndNodesAreKnown() {
        var known =
                known(
                        nodePool("a").label("team", "red"),
                        nodePool("b"),
                        node("x").label("team", "blue"),
                        node("y"));

        assertThat(known.of("team")).containsExactly("blue", "red");
    }

    @Test
    void poolsBringKeysOfTheirOwnByLabelsAndRequirements() {
        var known =
                known(
                        nodePool("a").label("team", "red").requirement(exists("rack")),
                        nodePool("b").requirement(in("disk", "ssd")));

        assertThat(known.ownKeys()).containsExactly("disk", "rack", "team");
    }
}
