package dev.millwright.testing.architecture.broken.providers.aws.launch;

import software.amazon.awssdk.regions.Region;

/// Goes past the port.
public final class Direct {

    public Region region = Region.US_EAST_1;
}
