package dev.millwright.providers.sim.kwok;

import dev.millwright.testing.kit.cloud.CloudFixture;
import dev.millwright.testing.kit.cloud.CloudProviderContract;

final class KwokCloudContractTest extends CloudProviderContract {

    @Override
    protected CloudFixture newCloud() {
        return new KwokRig();
    }
}
