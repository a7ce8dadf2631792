package dev.millwright.testing.kit.aws.fake;

import dev.millwright.kube.document.Tree;
import dev.millwright.providers.aws.api.AwsFault;
import dev.millwright.providers.aws.api.EksApi.Cluster;
import dev.millwright.providers.aws.api.ZonalShiftApi.Shift;
import dev.millwright.testing.kit.aws.TestAccount;

import java.time.Instant;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;

/// Clusters as EKS tells of them, and the zones that they are shifted away from.
final class FakeClusters {

    private static final String MISSING = "ResourceNotFoundException";

    private final SequencedMap<String, Cluster> clusters = new TreeMap<>();
    private final SequencedMap<String, List<Shift>> shifts = new TreeMap<>();

    FakeClusters(String kubernetesVersion) {
        tell(TestAccount.CLUSTER, Tree.of("version", kubernetesVersion));
    }

    /// @param told what is not the usual, in the names of EKS's API
    void tell(String name, Tree told) {
        var given = told.mapping();
        var arn =
                "arn:aws:eks:%s:%s:cluster/%s"
                        .formatted(TestAccount.REGION, TestAccount.ACCOUNT, name);
        var network = "kubernetesNetworkConfig";
        clusters.put(
                name,
                new Cluster(
                        ApiNames.text(given, "arn", arn),
                        ApiNames.text(given, "endpoint", "https://" + name),
                        ApiNames.text(
                                given, "certificateAuthority", "data", "Y2EtY2VydGlmaWNhdGU="),
                        ApiNames.text(given, "version", "1.35"),
                        ApiNames.text(given, network, "serviceIpv4Cidr", "10.100.0.0/16"),
                        ApiNames.text(given, network, "serviceIpv6Cidr", "")));
        shifts.putIfAbsent(arn, List.of());
    }

    Cluster find(String name) throws AwsFault {
        var found = clusters.get(name);
        if (found == null) {
            throw AwsFault.refused(MISSING, "No cluster found for name: %s.".formatted(name));
        }
        return found;
    }

    void shift(String arn, List<Tree> given) {
        shifts.put(arn, given.stream().map(FakeClusters::shift).toList());
    }

    private static Shift shift(Tree tree) {
        var given = tree.mapping();
        return new Shift(
                ApiNames.text(given, "awayFrom", ""),
                ApiNames.text(given, "appliedStatus", "APPLIED"),
                Instant.ofEpochSecond(ApiNames.seconds(given, "expiryTime")));
    }

    List<Shift> shifts(String arn) throws AwsFault {
        var found = shifts.get(arn);
        if (found == null) {
            throw AwsFault.refused(
                    MISSING,
                    "The resource %s is not managed by the recovery controller.".formatted(arn));
        }
        return found;
    }
}
