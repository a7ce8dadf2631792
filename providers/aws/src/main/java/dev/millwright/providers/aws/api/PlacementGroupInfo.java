package dev.millwright.providers.aws.api;

/// @param strategy `cluster`, `partition` or `spread`
/// @param partitions zero unless the strategy is `partition`
/// @param spreadLevel `host`, `rack`, or empty
public record PlacementGroupInfo(
        String id,
        String name,
        String state,
        String strategy,
        int partitions,
        String spreadLevel) {}
