package dev.millwright.cli.market;

import dev.millwright.core.cluster.StateNode;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.kube.document.DocumentException;
import dev.millwright.kube.document.Fault;
import dev.millwright.kube.document.Faults;
import dev.millwright.kube.document.Position;
import dev.millwright.kube.field.NearName;
import dev.millwright.kube.snapshot.PoolCatalogues.Cluster;
import dev.millwright.providers.aws.nodeclass.Ec2NodeClass;
import dev.millwright.providers.sim.Ec2Sales;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/// Stops a command whose cluster has machines or zones that nobody knows: their price would be 0,
/// and every saving reckoned with it wrong.
final class KnownPlaces {

    private final Cluster cluster;
    private final Ec2Sales sales;
    private final @Nullable PriceList list;
    private final Faults faults = new Faults();
    private final List<String> notes = new ArrayList<>();

    KnownPlaces(Cluster cluster, Ec2Sales sales, @Nullable PriceList list) {
        this.cluster = cluster;
        this.sales = sales;
        this.list = list;
    }

    /// @return what is odd and stops nothing
    /// @throws DocumentException with every node and class that lies in an unknown zone, or is of
    ///   an unknown type
    List<String> check(Collection<Ec2NodeClass> classes) {
        cluster.snapshot().nodes().stream().filter(StateNode::isManaged).forEach(this::node);
        for (var nodeClass : classes) {
            for (var subnet : nodeClass.status().subnets()) {
                zone(
                        "EC2NodeClass " + nodeClass.name(),
                        "status.subnets[%s].zone".formatted(subnet.id()),
                        subnet.zone());
            }
        }
        cluster.nodePools()
                .forEach(
                        pool ->
                                pool.template().requirements().stream()
                                        .filter(
                                                each ->
                                                        RegionSearch.isListing(
                                                                each, LabelKeys.ZONE))
                                        .flatMap(each -> each.values().stream())
                                        .filter(zone -> !isZone(zone))
                                        .forEach(
                                                zone ->
                                                        notes.add(
                                                                "NodePool %s asks for zone %s, which is unknown: %s"
                                                                        .formatted(
                                                                                pool.name(),
                                                                                zone,
                                                                                zones()))));
        faults.throwIfAny();
        return notes;
    }

    private void node(StateNode node) {
        var name = "Node " + node.name();
        var zone = node.labels().get(LabelKeys.ZONE);
        if (zone != null) {
            zone(name, "metadata.labels[%s]".formatted(LabelKeys.ZONE), zone);
        }
        var type = node.labels().get(LabelKeys.INSTANCE_TYPE);
        if (type == null) {
            return;
        }
        var capacityType =
                node.labels()
                        .getOrDefault(LabelKeys.CAPACITY_TYPE, LabelKeys.CAPACITY_TYPE_ON_DEMAND);
        var isPriced =
                list != null && list.price(type, zone == null ? "" : zone, capacityType) != null;
        if (!sales.described().contains(type) && !isPriced) {
            fault(
                    name,
                    "metadata.labels[%s]".formatted(LabelKeys.INSTANCE_TYPE),
                    "the instance type \"%s\" is unknown%s; give its price by --prices FILE, a line %s,*,%s,PRICE"
                            .formatted(type, nearestType(type), type, capacityType));
        } else if (!isPriced && sales.origin(type, capacityType) == null) {
            notes.add(
                    "%s: the %s price of %s in %s is unknown, sums are short of it; give it by --prices FILE"
                            .formatted(name, capacityType, type, sales.region().name()));
        }
    }

    private String nearestType(String type) {
        var near = NearName.of(type, sales.described());
        return near == null ? "" : ", maybe \"%s\"".formatted(near);
    }

    private void zone(String object, String field, String zone) {
        if (!isZone(zone)) {
            fault(
                    object,
                    field,
                    "the zone \"%s\" is unknown: %s; name another region by --region, or give the zone's prices by --prices FILE"
                            .formatted(zone, zones()));
        }
    }

    private boolean isZone(String zone) {
        return sales.region().zoneIds().containsKey(zone) || (list != null && list.hasZone(zone));
    }

    private String zones() {
        return "%s has %s"
                .formatted(
                        sales.region().name(),
                        String.join(", ", sales.region().zoneIds().sequencedKeySet()));
    }

    private void fault(String object, String field, String problem) {
        faults.add(new Fault(Position.of(cluster.name()), object, field, problem));
    }
}
