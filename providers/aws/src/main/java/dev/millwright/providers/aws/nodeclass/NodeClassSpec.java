package dev.millwright.providers.aws.nodeclass;

import org.jspecify.annotations.Nullable;

import java.util.Collections;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;

/// What the class asks for, field by field as its definition has them. An optional list or map that
/// is left out is empty.
public record NodeClassSpec(
        List<SelectorTerm.Subnet> subnetSelectorTerms,
        List<SelectorTerm.SecurityGroup> securityGroupSelectorTerms,
        List<SelectorTerm.CapacityReservation> capacityReservationSelectorTerms,
        @Nullable PlacementGroupSelector placementGroupSelector,
        @Nullable Boolean associatePublicIpAddress,
        @Nullable Integer ipPrefixCount,
        List<SelectorTerm.Ami> amiSelectorTerms,
        @Nullable AmiFamily amiFamily,
        @Nullable String userData,
        @Nullable String role,
        @Nullable String instanceProfile,
        SequencedMap<String, String> tags,
        KubeletConfiguration kubelet,
        List<BlockDeviceMapping> blockDeviceMappings,
        @Nullable InstanceStorePolicy instanceStorePolicy,
        List<NetworkInterface> networkInterfaces,
        boolean isDetailedMonitoringOn,
        @Nullable MetadataOptions metadataOptions,
        @Nullable ConnectionTracking connectionTracking,
        @Nullable String context,
        @Nullable String nestedVirtualization) {

    /// By name or by id.
    public record PlacementGroupSelector(@Nullable String name, @Nullable String id) {

        @Override
        public String toString() {
            return id == null ? "name \"%s\"".formatted(name) : "id \"%s\"".formatted(id);
        }
    }

    public NodeClassSpec {
        subnetSelectorTerms = List.copyOf(subnetSelectorTerms);
        securityGroupSelectorTerms = List.copyOf(securityGroupSelectorTerms);
        capacityReservationSelectorTerms = List.copyOf(capacityReservationSelectorTerms);
        amiSelectorTerms = List.copyOf(amiSelectorTerms);
        tags = Collections.unmodifiableSequencedMap(new TreeMap<>(tags));
        blockDeviceMappings = List.copyOf(blockDeviceMappings);
        networkInterfaces = List.copyOf(networkInterfaces);
    }

    /// The first alias of the image terms, or null.
    public @Nullable Alias alias() {
        for (var term : amiSelectorTerms) {
            if (term.alias() != null) {
                return term.alias();
            }
        }
        return null;
    }

    /// The family as stated, else the alias's, else Custom.
    public AmiFamily family() {
        if (amiFamily != null) {
            return amiFamily;
        }
        var alias = alias();
        return alias == null ? AmiFamily.CUSTOM : alias.family();
    }

    /// The disks of each instance: those stated, else those of the family.
    public List<BlockDeviceMapping> devices() {
        return blockDeviceMappings.isEmpty() ? family().defaultDevices() : blockDeviceMappings;
    }

    public boolean isRaid0() {
        return instanceStorePolicy == InstanceStorePolicy.RAID0;
    }
}
