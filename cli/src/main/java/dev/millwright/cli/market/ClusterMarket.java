package dev.millwright.cli.market;

import dev.millwright.cli.market.MarketSettings.PriceSource;
import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.cluster.StateNode;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.LabelVocabulary;
import dev.millwright.core.label.Requirement;
import dev.millwright.core.policy.NodePool;
import dev.millwright.kube.snapshot.PoolCatalogues;
import dev.millwright.kube.snapshot.PriceOrigins;
import dev.millwright.providers.sim.Ec2Region;
import dev.millwright.providers.sim.KwokCatalogue;
import dev.millwright.providers.sim.KwokNodeClass;
import dev.millwright.spi.ec2.Ec2Labels;

import java.time.Instant;
import java.util.List;
import java.util.TreeMap;

/// What the pools of any cluster can buy: those of kwok's class the generic machines of kwok, all
/// others machines of EC2.
public final class ClusterMarket implements PoolCatalogues {

    private final MarketSettings settings;
    private final Ec2Market ec2;

    public ClusterMarket(MarketSettings settings, LiveMarket live, Instant now) {
        this.settings = settings;
        this.ec2 = new Ec2Market(settings, live, now);
    }

    @Override
    public LabelVocabulary vocabulary() {
        return Ec2Labels.VOCABULARY;
    }

    @Override
    public Answer of(Cluster cluster) {
        if (cluster.nodePools().isEmpty()) {
            return new Answer(new TreeMap<>(), vocabulary(), PriceOrigins.OWN, List.of());
        }
        var isKwok = settings.region() == null && isGeneric(cluster);
        return isKwok ? kwok(cluster) : ec2.of(cluster, cluster.nodePools());
    }

    /// A kwok cluster plays machines of EC2 when its operator was told so; then its nodes and pools
    /// speak of them.
    private static boolean isGeneric(Cluster cluster) {
        var kind = KwokNodeClass.KIND.kind();
        return cluster.nodePools().stream()
                        .allMatch(pool -> pool.template().nodeClassRef().kind().equals(kind))
                && cluster.snapshot().nodes().stream().noneMatch(ClusterMarket::isOfEc2)
                && cluster.nodePools().stream().noneMatch(ClusterMarket::asksForEc2);
    }

    private static boolean isOfEc2(StateNode node) {
        var zone = node.labels().get(LabelKeys.ZONE);
        return zone != null && Ec2Region.ofZone(zone) != null;
    }

    private static boolean asksForEc2(NodePool pool) {
        return pool.template().requirements().stream()
                .anyMatch(each -> isOfEc2sVocabulary(each.key()) || listsZonesOfEc2(each));
    }

    private static boolean isOfEc2sVocabulary(String key) {
        return Ec2Labels.VOCABULARY.wellKnown().contains(key)
                && !LabelVocabulary.CORE.wellKnown().contains(key);
    }

    private static boolean listsZonesOfEc2(Requirement requirement) {
        return RegionSearch.isListing(requirement, LabelKeys.ZONE)
                && requirement.values().stream().anyMatch(zone -> Ec2Region.ofZone(zone) != null);
    }

    private Answer kwok(Cluster cluster) {
        var types = priced(KwokCatalogue.instanceTypes());
        var byPool = new TreeMap<String, List<InstanceType>>();
        cluster.nodePools().forEach(pool -> byPool.put(pool.name(), types));
        return new Answer(
                byPool,
                KwokCatalogue.VOCABULARY,
                PriceOrigins.OWN,
                List.of(
                        "machines and prices are the generic ones of kwok, as all pools name its class"));
    }

    @Override
    public List<InstanceType> priced(List<InstanceType> own) {
        return settings.prices() instanceof PriceSource.Listed(_, var list)
                ? list.applied(own)
                : own;
    }
}
