package dev.millwright.providers.aws.instancetype;

import java.math.BigDecimal;

/// What the process was told about all types.
///
/// @param reservedInterfaces network interfaces kept from the pods (`RESERVED_ENIS`)
/// @param memoryOverhead share of the memory the hypervisor keeps (`VM_MEMORY_OVERHEAD_PERCENT`,
///   where 0.075 means seven and a half percent)
/// @param isReservedCapacityOn the gate `ReservedCapacity`
public record TypeSettings(
        String region,
        int reservedInterfaces,
        BigDecimal memoryOverhead,
        boolean isReservedCapacityOn) {

    public static final BigDecimal MEMORY_OVERHEAD_DEFAULT = new BigDecimal("0.075");

    public TypeSettings(String region) {
        this(region, 0, MEMORY_OVERHEAD_DEFAULT, true);
    }
}
