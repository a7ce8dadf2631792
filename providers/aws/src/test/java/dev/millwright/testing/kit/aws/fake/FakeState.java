package dev.millwright.testing.kit.aws.fake;

import dev.millwright.testing.kit.FakeClock;

import java.util.List;

/// All that a [FakeAccount] forgets when a test begins.
final class FakeState {

    private final FakeCatalogue catalogue = FakeCatalogue.shared();
    private final FakeCalls calls = new FakeCalls();
    private final FakeClock clock = new FakeClock();
    private final FakeNetwork network;
    private final FakeImages images;
    private final FakeTemplates templates = new FakeTemplates();
    private final FakeInstances instances = new FakeInstances();
    private final FakeProfiles profiles = new FakeProfiles();
    private final FakeClusters clusters;
    private final FakeMessages messages = new FakeMessages(clock);
    private final FakeFleets fleets = new FakeFleets(this);

    FakeState(String kubernetesVersion, List<String> zones) {
        this.network = new FakeNetwork(catalogue, zones);
        this.images = new FakeImages(kubernetesVersion);
        this.clusters = new FakeClusters(kubernetesVersion);
    }

    FakeCatalogue catalogue() {
        return catalogue;
    }

    FakeCalls calls() {
        return calls;
    }

    FakeClock clock() {
        return clock;
    }

    FakeNetwork network() {
        return network;
    }

    FakeImages images() {
        return images;
    }

    FakeTemplates templates() {
        return templates;
    }

    FakeInstances instances() {
        return instances;
    }

    FakeProfiles profiles() {
        return profiles;
    }

    FakeClusters clusters() {
        return clusters;
    }

    FakeMessages messages() {
        return messages;
    }

    FakeFleets fleets() {
        return fleets;
    }
}
