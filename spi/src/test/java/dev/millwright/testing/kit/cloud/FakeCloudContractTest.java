package dev.millwright.testing.kit.cloud;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.catalog.Offering;
import dev.millwright.core.policy.NodePool.NodeClassRef;
import dev.millwright.spi.CloudProvider;
import dev.millwright.spi.ListAnswer;
import dev.millwright.testing.kit.FakeCatalogue;
import dev.millwright.testing.kit.FakeClock;

import java.util.List;

final class FakeCloudContractTest extends CloudProviderContract {

    @Override
    protected CloudFixture newCloud() {
        return new Fixture(new FakeCloud(new FakeClock()));
    }

    private record Fixture(FakeCloud cloud) implements CloudFixture {

        @Override
        public CloudProvider provider() {
            return cloud;
        }

        @Override
        public NodeClassRef readyClass() {
            var kind = FakeCloud.NODE_CLASS;
            return new NodeClassRef(kind.group(), kind.kind(), "default");
        }

        @Override
        public String numericLabel() {
            return FakeCatalogue.INTEGER;
        }

        @Override
        public void settle() {}

        @Override
        public void runOut(String instanceType) {
            cloud.types(
                    FakeCatalogue.standard().stream()
                            .map(type -> type.name().equals(instanceType) ? soldOut(type) : type)
                            .toList());
        }

        private static InstanceType soldOut(InstanceType type) {
            List<Offering> offerings =
                    type.offerings().stream().map(Offering::unavailable).toList();
            return type.withOfferings(offerings);
        }

        @Override
        public void breakListing() {
            cloud.nextList(new ListAnswer.Failed("told to fail"));
        }

        @Override
        public void outdateMachines() {
            cloud.driftReason("Outdated");
        }
    }
}
