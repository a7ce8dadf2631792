package dev.millwright.providers.aws.api;

import java.util.SequencedMap;

public record SecurityGroupInfo(
        String id, String name, String vpcId, SequencedMap<String, String> tags) {}
