package dev.millwright.testing.kit.aws;

import dev.millwright.core.quantity.Quantity;
import dev.millwright.providers.aws.api.PlacementGroupInfo;
import dev.millwright.providers.aws.instancetype.ClassFacts;
import dev.millwright.providers.aws.nodeclass.AmiFamily;
import dev.millwright.providers.aws.nodeclass.BlockDeviceMapping;
import dev.millwright.providers.aws.nodeclass.KubeletConfiguration;
import dev.millwright.providers.aws.nodeclass.NetworkInterface;
import dev.millwright.providers.aws.nodeclass.NodeClassStatus.Ami;
import dev.millwright.providers.aws.nodeclass.NodeClassStatus.CapacityReservation;
import dev.millwright.providers.aws.nodeclass.NodeClassStatus.ReservationState;
import dev.millwright.providers.aws.nodeclass.NodeClassStatus.ReservationType;
import dev.millwright.providers.aws.nodeclass.NodeClassStatus.Subnet;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeMap;

/// Builds what a class says about its types; without a word Amazon Linux 2023 in three zones.
public final class ClassFactsDraft {

    private AmiFamily family = AmiFamily.AL2023;
    private @Nullable Integer maxPods;
    private @Nullable Integer podsPerCore;
    private SequencedMap<String, String> systemReserved = new TreeMap<>();
    private SequencedMap<String, String> kubeReserved = new TreeMap<>();
    private SequencedMap<String, String> evictionHard = new TreeMap<>();
    private SequencedMap<String, String> evictionSoft = new TreeMap<>();
    private final List<BlockDeviceMapping> devices = new ArrayList<>();
    private boolean isRaid0;
    private @Nullable List<NetworkInterface> interfaces;
    private List<Ami> amis = List.of(new Ami("ami-1", "one", false, List.of()));
    private final List<Subnet> subnets = new ArrayList<>();
    private final List<CapacityReservation> reservations = new ArrayList<>();
    private boolean isNestedVirtualizationOn;
    private boolean isConnectionTracked;
    private @Nullable PlacementGroupInfo group;

    private ClassFactsDraft() {}

    public static ClassFactsDraft facts() {
        return new ClassFactsDraft()
                .subnet("subnet-1", "us-east-1a", "use1-az1")
                .subnet("subnet-2", "us-east-1b", "use1-az2")
                .subnet("subnet-3", "us-east-1c", "use1-az4");
    }

    public ClassFactsDraft family(AmiFamily wanted) {
        family = wanted;
        return this;
    }

    public ClassFactsDraft maxPods(@Nullable Integer wanted) {
        maxPods = wanted;
        return this;
    }

    public ClassFactsDraft podsPerCore(@Nullable Integer wanted) {
        podsPerCore = wanted;
        return this;
    }

    public ClassFactsDraft systemReserved(Map<String, String> wanted) {
        systemReserved = new TreeMap<>(wanted);
        return this;
    }

    public ClassFactsDraft kubeReserved(Map<String, String> wanted) {
        kubeReserved = new TreeMap<>(wanted);
        return this;
    }

    public ClassFactsDraft evictionHard(Map<String, String> wanted) {
        evictionHard = new TreeMap<>(wanted);
        return this;
    }

    public ClassFactsDraft evictionSoft(Map<String, String> wanted) {
        evictionSoft = new TreeMap<>(wanted);
        return this;
    }

    public ClassFactsDraft device(String name, @Nullable String size) {
        devices.add(new BlockDeviceMapping(name, ebs(size), false));
        return this;
    }

    public ClassFactsDraft rootDevice(String name, String size) {
        devices.add(new BlockDeviceMapping(name, ebs(size), true));
        return this;
    }

    private static BlockDeviceMapping.Ebs ebs(@Nullable String size) {
        return new BlockDeviceMapping.Ebs(
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                size == null ? null : Quantity.parse(size),
                null);
    }

    public ClassFactsDraft raid0() {
        isRaid0 = true;
        return this;
    }

    public ClassFactsDraft interfaces(NetworkInterface... wanted) {
        interfaces = List.of(wanted);
        return this;
    }

    public ClassFactsDraft amis(Ami... wanted) {
        amis = List.of(wanted);
        return this;
    }

    public ClassFactsDraft withoutSubnets() {
        subnets.clear();
        return this;
    }

    public ClassFactsDraft subnet(String id, String zone, String zoneId) {
        subnets.add(new Subnet(id, zone, zoneId));
        return this;
    }

    public ClassFactsDraft reservation(String id, String type, String zone) {
        return reservation(id, type, zone, ReservationType.DEFAULT, ReservationState.ACTIVE);
    }

    public ClassFactsDraft reservation(
            String id, String type, String zone, ReservationType kind, ReservationState state) {
        reservations.add(
                new CapacityReservation(
                        id, zone, type, "111122223333", "targeted", kind, state, false, null));
        return this;
    }

    public ClassFactsDraft nestedVirtualization() {
        isNestedVirtualizationOn = true;
        return this;
    }

    public ClassFactsDraft connectionTracked() {
        isConnectionTracked = true;
        return this;
    }

    public ClassFactsDraft group(String id, String strategy, int partitions) {
        group = new PlacementGroupInfo(id, "group", "available", strategy, partitions, "");
        return this;
    }

    public ClassFacts build() {
        return new ClassFacts(
                family,
                new KubeletConfiguration(
                        List.of(),
                        maxPods,
                        podsPerCore,
                        systemReserved,
                        kubeReserved,
                        evictionHard,
                        evictionSoft,
                        new TreeMap<>(),
                        null,
                        null,
                        null,
                        null),
                devices,
                isRaid0,
                interfaces,
                amis,
                subnets,
                reservations,
                isNestedVirtualizationOn,
                isConnectionTracked,
                group);
    }
}
