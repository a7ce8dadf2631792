package dev.millwright.providers.aws.start;

/// Where we are.
///
/// @param clusterEndpoint where nodes find the API server
/// @param certificateAuthority in base 64, which nodes trust
/// @param clusterArn empty unless zonal shifts are followed
public record Surroundings(
        String clusterEndpoint, String certificateAuthority, String clusterArn) {}
