package dev.millwright.providers.aws.launch;

import dev.millwright.core.policy.NodePool;
import dev.millwright.core.policy.NodePool.NodeClassRef;
import dev.millwright.spi.CloudProvider;
import dev.millwright.spi.ec2.Ec2Labels;
import dev.millwright.testing.kit.aws.ApiFault;
import dev.millwright.testing.kit.aws.LaunchFault;
import dev.millwright.testing.kit.aws.TestAccount;
import dev.millwright.testing.kit.aws.account.TestAccounts;
import dev.millwright.testing.kit.cloud.CloudFixture;
import dev.millwright.testing.kit.cloud.CloudProviderContract;

import org.junit.jupiter.api.Tag;

import java.time.Duration;

/// EC2 as every other cloud.
@Tag("account")
@Tag("AWS-F12a")
class AwsCloudContractTest extends CloudProviderContract {

    @Override
    protected CloudFixture newCloud() {
        TestAccounts.shared().fixture();
        return new Fixture();
    }

    private static final class Fixture implements CloudFixture {

        private final TestAccount aws = TestAccounts.shared();
        private final CloudRig rig =
                new CloudRig()
                        .nodeClass("early", "subnetSelectorTerms", "[{id: subnet-none}]")
                        .nodeClass();

        @Override
        public CloudProvider provider() {
            return rig.cloud();
        }

        @Override
        public NodeClassRef readyClass() {
            return CloudRig.classNamed("default");
        }

        @Override
        public NodeClassRef missingClass() {
            return CloudRig.classNamed("missing");
        }

        @Override
        public NodeClassRef classNotReady() {
            return CloudRig.classNamed("early");
        }

        @Override
        public String numericLabel() {
            return Ec2Labels.CPU;
        }

        /// Types come and go with AWS: a claim for one that is gone is planned anew.
        @Override
        public boolean isNamingUnknownTypes() {
            return false;
        }

        @Override
        public NodePool nodePool() {
            return rig.rig().pool("default").pool();
        }

        @Override
        public void settle() {
            aws.advance(Duration.ofHours(2));
        }

        /// EC2 refuses what it was asked for: on-demand here, spot when the test asks.
        @Override
        public void runOut(String instanceType) {
            aws.refuse(LaunchFault.noCapacity(instanceType));
            rig.launch(CloudRig.claim("first").types(instanceType).capacityTypes("on-demand"));
        }

        @Override
        public void breakListing() {
            aws.fail(ApiFault.refuse("DescribeInstances", "UnauthorizedOperation", 403).always());
        }

        @Override
        public void outdateMachines() {
            rig.changeStatus("default", "securityGroups", "[{id: sg-test1}]");
        }

        @Override
        public void close() {
            rig.close();
        }
    }
}
