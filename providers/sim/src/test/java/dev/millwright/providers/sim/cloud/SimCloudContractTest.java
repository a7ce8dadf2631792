package dev.millwright.providers.sim.cloud;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.policy.NodePool.NodeClassRef;
import dev.millwright.providers.sim.Ec2Catalogue;
import dev.millwright.providers.sim.Ec2Settings;
import dev.millwright.providers.sim.KwokNodeClass;
import dev.millwright.providers.sim.NodeClassState;
import dev.millwright.providers.sim.cloud.SimSettings.ApiFaults;
import dev.millwright.providers.sim.cloud.SimSettings.Capacity;
import dev.millwright.providers.sim.cloud.SimSettings.CapacityRule;
import dev.millwright.spi.CloudProvider;
import dev.millwright.spi.ec2.Ec2Labels;
import dev.millwright.testing.kit.FakeClock;
import dev.millwright.testing.kit.cloud.CloudFixture;
import dev.millwright.testing.kit.cloud.CloudProviderContract;

import org.junit.jupiter.api.Nested;

import java.time.Duration;
import java.util.List;

final class SimCloudContractTest {

    private static final List<InstanceType> TYPES =
            Ec2Catalogue.load().instanceTypes(Ec2Settings.DEFAULT);

    @Nested
    final class WhenPrompt extends CloudProviderContract {

        @Override
        protected CloudFixture newCloud() {
            return new Fixture(SimSettings.DEFAULT);
        }
    }

    @Nested
    final class WhenLifelike extends CloudProviderContract {

        @Override
        protected CloudFixture newCloud() {
            return new Fixture(SimSettings.LIFELIKE);
        }
    }

    private static final class Fixture implements CloudFixture {

        /// Longer than anything takes, shorter than a refused offering is remembered.
        private static final Duration STEP = Duration.ofSeconds(170);

        private final FakeClock clock = new FakeClock();
        private final SimSettings settings;
        private final SimCloud cloud;
        private final SimCloudProvider provider;

        Fixture(SimSettings settings) {
            this.settings = settings;
            this.cloud =
                    new SimCloud(
                            settings, TYPES, Ec2Labels.VOCABULARY, Fixture::find, clock.instant());
            this.provider =
                    new SimCloudProvider(
                            cloud,
                            SimCloudProvider.ec2Traits(List.of(KwokNodeClass.KIND)),
                            clock,
                            _ -> {});
        }

        private static NodeClassState find(NodeClassRef reference) {
            return switch (reference.name()) {
                case "default" -> new NodeClassState.Ready(Duration.ZERO);
                case "not-ready" -> new NodeClassState.NotReady("not yet");
                default -> new NodeClassState.Missing("there is none");
            };
        }

        @Override
        public CloudProvider provider() {
            return provider;
        }

        @Override
        public NodeClassRef readyClass() {
            return named("default");
        }

        @Override
        public NodeClassRef missingClass() {
            return named("missing");
        }

        @Override
        public NodeClassRef classNotReady() {
            return named("not-ready");
        }

        private static NodeClassRef named(String name) {
            var kind = KwokNodeClass.KIND;
            return new NodeClassRef(kind.group(), kind.kind(), name);
        }

        @Override
        public String numericLabel() {
            return Ec2Labels.CPU;
        }

        @Override
        public void settle() {
            clock.advance(STEP);
        }

        @Override
        public void runOut(String instanceType) {
            var none = new CapacityRule(instanceType, "*", "*", 0, false);
            cloud.change(
                    settings.with(
                            new Capacity(
                                    List.of(none),
                                    0,
                                    Duration.ofMinutes(10),
                                    Capacity.REMEMBERED_DEFAULT)),
                    clock.instant());
        }

        @Override
        public void breakListing() {
            cloud.change(settings.with(SimApi.LIST, new ApiFaults(null, 1, 0)), clock.instant());
        }

        @Override
        public void outdateMachines() {
            cloud.publish("sim-image-2");
        }
    }
}
