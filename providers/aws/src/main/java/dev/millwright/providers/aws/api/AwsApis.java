package dev.millwright.providers.aws.api;

/// All services we ask.
public record AwsApis(
        Ec2Api ec2,
        IamApi iam,
        SsmApi ssm,
        EksApi eks,
        SqsApi sqs,
        PricingApi pricing,
        ZonalShiftApi zonalShift) {}
