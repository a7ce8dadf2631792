package dev.millwright.testing.kit.aws;

import dev.millwright.providers.aws.api.AwsApis;
import dev.millwright.providers.aws.api.Ec2Api;
import dev.millwright.providers.aws.api.EksApi;
import dev.millwright.providers.aws.api.IamApi;
import dev.millwright.providers.aws.api.PricingApi;
import dev.millwright.providers.aws.api.SqsApi;
import dev.millwright.providers.aws.api.SsmApi;
import dev.millwright.providers.aws.api.ZonalShiftApi;

/// The ports to a [TestAccount].
///
/// @param closing gives back what the ports stand on
public record AccountClients(AwsApis apis, Runnable closing) implements AutoCloseable {

    public Ec2Api ec2() {
        return apis.ec2();
    }

    public IamApi iam() {
        return apis.iam();
    }

    public SsmApi ssm() {
        return apis.ssm();
    }

    public EksApi eks() {
        return apis.eks();
    }

    public SqsApi sqs() {
        return apis.sqs();
    }

    public PricingApi pricing() {
        return apis.pricing();
    }

    public ZonalShiftApi zonalShift() {
        return apis.zonalShift();
    }

    @Override
    public void close() {
        closing.run();
    }
}
