package dev.millwright.cli.market;

import dev.millwright.core.cluster.StateNode;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.Operator;
import dev.millwright.core.label.Requirement;
import dev.millwright.core.policy.NodePool;
import dev.millwright.kube.document.DocumentException;
import dev.millwright.kube.document.Fault;
import dev.millwright.kube.document.Position;
import dev.millwright.kube.snapshot.PoolCatalogues.Cluster;
import dev.millwright.providers.aws.nodeclass.Ec2NodeClass;
import dev.millwright.providers.sim.Ec2Region;

import org.jspecify.annotations.Nullable;

import java.util.Collection;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// Finds the region of a cluster in its objects. Nodes know best, then the subnets of node classes,
/// then the zones that pools and pods ask for.
final class RegionSearch {

    /// `aws:///eu-west-1a/i-0123456789abcdef0`
    private static final Pattern PROVIDER_ID = Pattern.compile("aws:///(?<zone>[^/]+)/.*");

    /// Regions, each with the first object that names it.
    private final TreeMap<String, String> found = new TreeMap<>();

    private RegionSearch() {}

    /// Null when nothing names a region.
    ///
    /// @throws DocumentException when nodes, or else classes, lie in several
    static @Nullable String find(Cluster cluster, Collection<Ec2NodeClass> classes) {
        var search = new RegionSearch();
        cluster.snapshot().nodes().forEach(search::node);
        if (search.found.isEmpty()) {
            classes.forEach(search::nodeClass);
        }
        if (search.found.isEmpty()) {
            cluster.nodePools().forEach(search::pool);
        }
        if (search.found.isEmpty()) {
            cluster.snapshot().pods().stream()
                    .filter(pod -> pod.placement().nodeSelector().containsKey(LabelKeys.ZONE))
                    .forEach(
                            pod ->
                                    search.zone(
                                            "Pod " + pod.name(),
                                            pod.placement().nodeSelector().get(LabelKeys.ZONE)));
        }
        return search.only(cluster);
    }

    private void node(StateNode node) {
        var labels = node.labels();
        var name = "Node " + node.name();
        var region = labels.get(LabelKeys.REGION);
        if (region != null && Ec2Region.ofZone(region + "a") != null) {
            found.putIfAbsent(region, name);
            return;
        }
        zone(name, labels.get(LabelKeys.ZONE));
        zone(name, zoneOf(node));
    }

    /// The zone of an instance's id; null where it is no instance of EC2.
    static @Nullable String zoneOf(StateNode node) {
        var machine = node.node();
        var claim = node.claim();
        var id =
                machine != null && !machine.providerId().isEmpty()
                        ? machine.providerId()
                        : claim == null ? "" : claim.providerId();
        var matcher = PROVIDER_ID.matcher(id);
        return matcher.matches() ? matcher.group("zone") : null;
    }

    private void nodeClass(Ec2NodeClass nodeClass) {
        nodeClass
                .status()
                .subnets()
                .forEach(subnet -> zone("EC2NodeClass " + nodeClass.name(), subnet.zone()));
    }

    private void pool(NodePool pool) {
        for (var requirement : pool.template().requirements()) {
            if (isListing(requirement, LabelKeys.REGION)) {
                requirement.values().forEach(value -> zone("NodePool " + pool.name(), value + "a"));
            }
            if (isListing(requirement, LabelKeys.ZONE)) {
                requirement.values().forEach(value -> zone("NodePool " + pool.name(), value));
            }
        }
    }

    static boolean isListing(Requirement requirement, String key) {
        return requirement.key().equals(key) && requirement.operator() == Operator.IN;
    }

    private void zone(String object, @Nullable String zone) {
        var region = zone == null ? null : Ec2Region.ofZone(zone);
        if (region != null) {
            found.putIfAbsent(region, object);
        }
    }

    private @Nullable String only(Cluster cluster) {
        if (found.size() > 1) {
            throw new DocumentException(
                    Fault.ofText(
                            Position.of(cluster.name()),
                            "found objects of %d regions: %s; say which counts by --region"
                                    .formatted(found.size(), words())));
        }
        return found.isEmpty() ? null : found.firstKey();
    }

    private String words() {
        return String.join(
                ", ",
                found.entrySet().stream()
                        .map(each -> "%s (%s)".formatted(each.getKey(), each.getValue()))
                        .toList());
    }
}
