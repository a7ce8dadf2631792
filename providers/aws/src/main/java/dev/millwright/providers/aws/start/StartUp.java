package dev.millwright.providers.aws.start;

import dev.millwright.providers.aws.api.AwsFault;
import dev.millwright.providers.aws.api.Ec2Api;
import dev.millwright.providers.aws.api.EksApi;
import dev.millwright.providers.aws.api.ZonalShiftApi;

import org.jspecify.annotations.Nullable;

/// Asks what a process cannot do without. EKS is asked only when something is to be had from it
/// alone, so that a cluster which is not EKS's needs no permission for it.
public final class StartUp {

    private final Ec2Api ec2;
    private final EksApi eks;
    private final ZonalShiftApi zonalShift;

    public StartUp(Ec2Api ec2, EksApi eks, ZonalShiftApi zonalShift) {
        this.ec2 = ec2;
        this.eks = eks;
        this.zonalShift = zonalShift;
    }

    /// What the settings say.
    ///
    /// @param endpoint empty to ask EKS
    /// @param caBundle in base 64; empty for the one our own connection trusts
    /// @param ownCaBundle in base 64, what our own connection to the API server trusts; empty when
    ///   it trusts what the system does
    /// @param isFollowingShifts whether zonal shifts are followed
    public record Wanted(
            String clusterName,
            String endpoint,
            String caBundle,
            String ownCaBundle,
            boolean isFollowingShifts) {}

    public sealed interface Found {

        record Ready(Surroundings surroundings) implements Found {}

        /// The process must not run.
        ///
        /// @param why with the way out
        record Blocked(String why) implements Found {}
    }

    public Found explore(Wanted wanted) {
        try {
            ec2.tryInstanceTypes();
        } catch (AwsFault fault) {
            return blocked(
                    "cannot ask EC2 for instance types",
                    fault,
                    "let the controller's role do ec2:DescribeInstanceTypes, and let its pods reach EC2");
        }
        var needsEks =
                wanted.endpoint().isEmpty()
                        || wanted.isFollowingShifts()
                        || isWithoutAuthority(wanted);
        EksApi.Cluster cluster = null;
        if (needsEks) {
            try {
                cluster = eks.cluster(wanted.clusterName());
            } catch (AwsFault fault) {
                return blocked(
                        "cannot find EKS cluster \"%s\"".formatted(wanted.clusterName()),
                        fault,
                        "let the controller's role do eks:DescribeCluster, or set CLUSTER_ENDPOINT and CLUSTER_CA_BUNDLE");
            }
        }
        return withShifts(wanted, surroundings(wanted, cluster));
    }

    private static boolean isWithoutAuthority(Wanted wanted) {
        return wanted.caBundle().isEmpty() && wanted.ownCaBundle().isEmpty();
    }

    private static Surroundings surroundings(Wanted wanted, EksApi.@Nullable Cluster cluster) {
        var authority = wanted.caBundle().isEmpty() ? wanted.ownCaBundle() : wanted.caBundle();
        if (cluster == null) {
            return new Surroundings(wanted.endpoint(), authority, "");
        }
        return new Surroundings(
                wanted.endpoint().isEmpty() ? cluster.endpoint() : wanted.endpoint(),
                authority.isEmpty() ? cluster.certificateAuthority() : authority,
                wanted.isFollowingShifts() ? cluster.arn() : "");
    }

    private Found withShifts(Wanted wanted, Surroundings found) {
        if (found.clusterEndpoint().isEmpty()) {
            return new Found.Blocked(
                    "EKS cluster \"%s\" has no endpoint yet; wait until it is active, or set CLUSTER_ENDPOINT"
                            .formatted(wanted.clusterName()));
        }
        if (wanted.isFollowingShifts()) {
            try {
                zonalShift.shifts(found.clusterArn());
            } catch (AwsFault fault) {
                return blocked(
                        "cannot follow zonal shifts of " + found.clusterArn(),
                        fault,
                        "let the controller's role do arc-zonal-shift:GetManagedResource and enable zonal shift for"
                                + " the cluster, or set ENABLE_ZONAL_SHIFT=false");
            }
        }
        return new Found.Ready(found);
    }

    private static Found blocked(String what, AwsFault fault, String wayOut) {
        return new Found.Blocked("%s: %s; %s".formatted(what, fault.text(), wayOut));
    }
}
