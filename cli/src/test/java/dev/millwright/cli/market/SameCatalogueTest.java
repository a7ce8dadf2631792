package dev.millwright.cli.market;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.cluster.Snapshot;
import dev.millwright.core.policy.NodePool;
import dev.millwright.core.quantity.Resources;
import dev.millwright.kube.snapshot.PoolCatalogues.Cluster;
import dev.millwright.kube.translation.NodePoolTranslation;
import dev.millwright.providers.sim.Ec2Catalogue;
import dev.millwright.providers.sim.Ec2Settings;

import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.util.List;
import java.util.TreeMap;

class SameCatalogueTest {

    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    private static NodePool pool() {
        return new NodePool(
                "general",
                0,
                Resources.NONE,
                new NodePool.Template(
                        new TreeMap<>(),
                        new TreeMap<>(),
                        List.of(),
                        List.of(),
                        List.of(),
                        NodePoolTranslation.CLASS_DEFAULT),
                null,
                true,
                false);
    }

    /// Two ways lead to the same machines: the simulated cloud's, and the operator's rules for a
    /// class of which nothing is known.
    @Test
    void aClassOfWhichNothingIsKnownBuysWhatTheSimulatedCloudSells() {
        var market =
                new ClusterMarket(
                        MarketSettings.USUAL,
                        region -> {
                            throw new AssertionError("AWS was asked for " + region);
                        },
                        NOON);
        var answer =
                market.of(
                        new Cluster("test", Snapshot.EMPTY, List.of(pool()), List.of(), List.of()));

        assertThat(answer.byPool().get("general"))
                .containsExactlyElementsOf(Ec2Catalogue.load().instanceTypes(Ec2Settings.DEFAULT));
    }
}
