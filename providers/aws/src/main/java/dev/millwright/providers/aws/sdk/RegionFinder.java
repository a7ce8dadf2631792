package dev.millwright.providers.aws.sdk;

import org.jspecify.annotations.Nullable;

import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.regions.providers.AwsProfileRegionProvider;
import software.amazon.awssdk.regions.providers.AwsRegionProviderChain;
import software.amazon.awssdk.regions.providers.InstanceProfileRegionProvider;
import software.amazon.awssdk.regions.providers.SystemSettingsRegionProvider;

/// The region we run in: what the environment or a profile says, else what the machine's metadata
/// service says.
public final class RegionFinder {

    private RegionFinder() {}

    /// Null when nobody knows; then `AWS_REGION` is to be set.
    public static @Nullable String find() {
        var chain =
                new AwsRegionProviderChain(
                        new SystemSettingsRegionProvider(),
                        new AwsProfileRegionProvider(),
                        new InstanceProfileRegionProvider());
        try {
            return chain.getRegion().id();
        } catch (SdkClientException _) {
            return null;
        }
    }
}
