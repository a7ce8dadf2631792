package dev.millwright.providers.aws.api;

/// An action of EC2 that we need, and that EC2 lets be tried without doing it.
///
/// The second word says on what a policy may insist that it carry our tags: such a trial tells
/// nothing when there is no such thing yet.
public enum Ec2Action {
    DESCRIBE_CAPACITY_RESERVATIONS("DescribeCapacityReservations", On.NOTHING),
    DESCRIBE_IMAGES("DescribeImages", On.NOTHING),
    DESCRIBE_INSTANCES("DescribeInstances", On.NOTHING),
    DESCRIBE_INSTANCE_STATUS("DescribeInstanceStatus", On.NOTHING),
    DESCRIBE_INSTANCE_TYPE_OFFERINGS("DescribeInstanceTypeOfferings", On.NOTHING),
    DESCRIBE_INSTANCE_TYPES("DescribeInstanceTypes", On.NOTHING),
    DESCRIBE_LAUNCH_TEMPLATES("DescribeLaunchTemplates", On.NOTHING),
    DESCRIBE_PLACEMENT_GROUPS("DescribePlacementGroups", On.NOTHING),
    DESCRIBE_SECURITY_GROUPS("DescribeSecurityGroups", On.NOTHING),
    DESCRIBE_SPOT_PRICE_HISTORY("DescribeSpotPriceHistory", On.NOTHING),
    DESCRIBE_SUBNETS("DescribeSubnets", On.NOTHING),
    CREATE_LAUNCH_TEMPLATE("CreateLaunchTemplate", On.NOTHING),
    RUN_INSTANCES("RunInstances", On.NOTHING),
    CREATE_FLEET("CreateFleet", On.TEMPLATE),
    CREATE_TAGS("CreateTags", On.INSTANCE),
    TERMINATE_INSTANCES("TerminateInstances", On.INSTANCE),
    DELETE_LAUNCH_TEMPLATE("DeleteLaunchTemplate", On.TEMPLATE);

    /// What is acted on.
    public enum On {
        NOTHING,
        INSTANCE,
        TEMPLATE
    }

    private final String text;
    private final On on;

    Ec2Action(String text, On on) {
        this.text = text;
        this.on = on;
    }

    /// The name in EC2's API, and in a policy after `ec2:`.
    public String text() {
        return text;
    }

    public On on() {
        return on;
    }

    public boolean isRead() {
        return text.startsWith("Describe");
    }
}
