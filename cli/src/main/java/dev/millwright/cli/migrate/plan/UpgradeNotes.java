package dev.millwright.cli.migrate.plan;

import java.util.List;

/// What changed for users between a version of Karpenter and the one we are like.
final class UpgradeNotes {

    private record Change(int major, int minor, String words) {

        private boolean isAfter(int otherMajor, int otherMinor) {
            return major > otherMajor || (major == otherMajor && minor > otherMinor);
        }
    }

    private static final List<Change> CHANGES =
            List.of(
                    new Change(
                            0,
                            28,
                            "metrics have moved and some tags are reserved: karpenter.sh/managed-by, karpenter.sh/provisioner-name, kubernetes.io/cluster/*"),
                    new Change(
                            0,
                            32,
                            "logs are JSON; nodes that go are tainted, so that DaemonSets leave, too"),
                    new Change(
                            0,
                            33,
                            "the ConfigMap karpenter-global-settings is no longer read; the controller needs ec2:CreateTags on spot requests; drift is on"),
                    new Change(
                            0,
                            34,
                            "at most 10% of a pool's nodes go at once unless budgets say otherwise"),
                    new Change(0, 36, "metrics of prices are named offering_price_estimate"),
                    new Change(
                            1,
                            0,
                            "expiry waits for no budget; the metadata hop limit is 1 unless set; pods are deleted and nodes updated by the controller, which needs the rights"),
                    new Change(
                            1,
                            1,
                            "v1beta1 and its annotations are gone; instances are tagged eks:eks-cluster-name in the place of karpenter.k8s.aws/cluster"),
                    new Change(
                            1,
                            2,
                            "reasons in metrics are written drifted, empty, expired, underutilized"),
                    new Change(
                            1,
                            6,
                            "open capacity reservations are used only when a class selects them"),
                    new Change(1, 7, "the controller needs iam:ListInstanceProfiles"),
                    new Change(1, 9, "the controller's policy is several policies; attach all"),
                    new Change(1, 11, "the controller needs ec2:DescribePlacementGroups"),
                    new Change(
                            1,
                            12,
                            "the CA bundle counts for drift, so nodes drift once; the controller needs ec2:DescribeInstanceStatus"));

    private UpgradeNotes() {}

    static List<String> since(int major, int minor) {
        return CHANGES.stream()
                .filter(change -> change.isAfter(major, minor))
                .map(
                        change ->
                                "since %d.%d: %s"
                                        .formatted(change.major(), change.minor(), change.words()))
                .toList();
    }
}
