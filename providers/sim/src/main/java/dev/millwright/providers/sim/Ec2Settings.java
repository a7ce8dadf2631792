package dev.millwright.providers.sim;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.util.List;
import java.util.TreeSet;

/// What an operator may change about how much of an instance the pods get. The defaults are
/// Karpenter's.
///
/// @param zones the zones our nodes may be in, as the subnets of a node class would say; sorted
/// @param reservedInterfaces network interfaces kept from the pods (`RESERVED_ENIS`)
/// @param memoryOverhead share of the memory the hypervisor keeps (`VM_MEMORY_OVERHEAD_PERCENT`,
///   where 0.075 means seven and a half percent)
/// @param podsMax the kubelet's `maxPods`, or null to let the network interfaces decide
public record Ec2Settings(
        List<String> zones,
        int reservedInterfaces,
        BigDecimal memoryOverhead,
        @Nullable Integer podsMax) {

    public static final Ec2Settings DEFAULT =
            new Ec2Settings(
                    List.of(
                            "us-east-1a",
                            "us-east-1b",
                            "us-east-1c",
                            "us-east-1d",
                            "us-east-1e",
                            "us-east-1f"),
                    0,
                    new BigDecimal("0.075"),
                    null);

    public Ec2Settings {
        zones = List.copyOf(new TreeSet<>(zones));
        if (zones.isEmpty()) {
            throw new IllegalArgumentException("zones are empty; wanted at least one");
        }
        if (reservedInterfaces < 0) {
            throw new IllegalArgumentException(
                    "reserved interfaces %d must not be negative".formatted(reservedInterfaces));
        }
        if (memoryOverhead.signum() < 0 || memoryOverhead.compareTo(BigDecimal.ONE) >= 0) {
            throw new IllegalArgumentException(
                    "memory overhead %s must be at least 0 and below 1".formatted(memoryOverhead));
        }
        if (podsMax != null && podsMax < 0) {
            throw new IllegalArgumentException(
                    "maxPods %d must not be negative".formatted(podsMax));
        }
    }

    public Ec2Settings withZones(List<String> wanted) {
        return new Ec2Settings(wanted, reservedInterfaces, memoryOverhead, podsMax);
    }

    Ec2Settings withReservedInterfaces(int wanted) {
        return new Ec2Settings(zones, wanted, memoryOverhead, podsMax);
    }

    Ec2Settings withMemoryOverhead(BigDecimal wanted) {
        return new Ec2Settings(zones, reservedInterfaces, wanted, podsMax);
    }

    Ec2Settings withPodsMax(@Nullable Integer wanted) {
        return new Ec2Settings(zones, reservedInterfaces, memoryOverhead, wanted);
    }
}
