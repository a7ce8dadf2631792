package dev.millwright.testing.kit.cloud;

final class KwokCloudContractTest extends CloudProviderContract {

    @Override
    protected CloudFixture newCloud() {
        return new KwokRig();
    }
}
