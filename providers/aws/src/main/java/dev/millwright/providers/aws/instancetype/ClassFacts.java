package dev.millwright.providers.aws.instancetype;

import dev.millwright.kube.document.Value;
import dev.millwright.providers.aws.api.PlacementGroupInfo;
import dev.millwright.providers.aws.nodeclass.AmiFamily;
import dev.millwright.providers.aws.nodeclass.BlockDeviceMapping;
import dev.millwright.providers.aws.nodeclass.Ec2NodeClass;
import dev.millwright.providers.aws.nodeclass.KubeletConfiguration;
import dev.millwright.providers.aws.nodeclass.NetworkInterface;
import dev.millwright.providers.aws.nodeclass.NodeClassStatus;

import org.jspecify.annotations.Nullable;

import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;

/// All of a class that decides what its instance types are and which can be had. Two classes that
/// are equal in this have the same types, and what is not here must not matter to them.
///
/// @param devices as stated; empty when the family's own are used
/// @param interfaces null when the class does not name them, which is not the same as none
/// @param amis in one order whatever their age, as only the set tells
/// @param subnets by id: the order of the status changes with every address taken
/// @param group the placement group that the class's selector led to, or null
public record ClassFacts(
        AmiFamily family,
        KubeletConfiguration kubelet,
        List<BlockDeviceMapping> devices,
        boolean isRaid0,
        @Nullable List<NetworkInterface> interfaces,
        List<NodeClassStatus.Ami> amis,
        List<NodeClassStatus.Subnet> subnets,
        List<NodeClassStatus.CapacityReservation> reservations,
        boolean isNestedVirtualizationOn,
        boolean isConnectionTracked,
        @Nullable PlacementGroupInfo group) {

    public static final String PARTITION = "partition";

    public ClassFacts {
        devices = List.copyOf(devices);
        interfaces = interfaces == null ? null : List.copyOf(interfaces);
        amis = sorted(amis, Comparator.comparing(NodeClassStatus.Ami::toString));
        subnets = sorted(subnets, Comparator.comparing(NodeClassStatus.Subnet::id));
        reservations =
                sorted(reservations, Comparator.comparing(NodeClassStatus.CapacityReservation::id));
    }

    private static <T> List<T> sorted(List<T> list, Comparator<T> order) {
        return list.stream().sorted(order).toList();
    }

    public static ClassFacts of(Ec2NodeClass nodeClass, @Nullable PlacementGroupInfo group) {
        var spec = nodeClass.spec();
        var status = nodeClass.status();
        var isNamingInterfaces =
                nodeClass.writtenSpec().fields().get("networkInterfaces") instanceof Value.Sequence;
        return new ClassFacts(
                spec.family(),
                spec.kubelet(),
                spec.blockDeviceMappings(),
                spec.isRaid0(),
                isNamingInterfaces ? spec.networkInterfaces() : null,
                status.amis(),
                status.subnets(),
                status.capacityReservations(),
                "enabled".equals(spec.nestedVirtualization()),
                spec.connectionTracking() != null,
                group);
    }

    /// The same class in other subnets.
    public ClassFacts withSubnets(List<NodeClassStatus.Subnet> others) {
        return new ClassFacts(
                family,
                kubelet,
                devices,
                isRaid0,
                interfaces,
                amis,
                others,
                reservations,
                isNestedVirtualizationOn,
                isConnectionTracked,
                group);
    }

    /// The ids of the zones our nodes may be in, by zone name; empty where not known yet.
    public SequencedMap<String, String> zoneIds() {
        var ids = new TreeMap<String, String>();
        subnets.forEach(subnet -> ids.putIfAbsent(subnet.zone(), subnet.zoneId()));
        return Collections.unmodifiableSequencedMap(ids);
    }

    public List<NodeClassStatus.CapacityReservation> reservationsOf(String type) {
        return reservations.stream()
                .filter(reservation -> reservation.instanceType().equals(type))
                .toList();
    }

    /// How many partitions each offering is split into; zero without partitions.
    public int partitions() {
        return group != null && group.strategy().equals(PARTITION) ? group.partitions() : 0;
    }
}
