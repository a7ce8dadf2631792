package dev.millwright.providers.aws.api;

import java.util.SequencedMap;

/// @param freeAddresses IPv4 addresses nobody has yet
public record SubnetInfo(
        String id,
        String vpcId,
        String zone,
        String zoneId,
        int freeAddresses,
        SequencedMap<String, String> tags) {}
