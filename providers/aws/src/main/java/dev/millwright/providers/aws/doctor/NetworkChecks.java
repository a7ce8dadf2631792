package dev.millwright.providers.aws.doctor;

import dev.millwright.providers.aws.api.AwsFault;
import dev.millwright.providers.aws.api.Ec2Api;
import dev.millwright.providers.aws.api.Filter;
import dev.millwright.providers.aws.api.SubnetInfo;

import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Whether what nodes are put into can be found by its tag.
final class NetworkChecks {

    private final Ec2Api ec2;
    private final Examination what;
    private List<SubnetInfo> subnets = List.of();

    NetworkChecks(Ec2Api ec2, Examination what) {
        this.ec2 = ec2;
        this.what = what;
    }

    private List<Filter> tagged() {
        return List.of(Filter.of("tag:" + Examination.DISCOVERY, what.clusterName()));
    }

    private String tag(String resources) {
        return "aws ec2 create-tags --region %s --resources %s --tags Key=%s,Value=%s"
                .formatted(what.region(), resources, Examination.DISCOVERY, what.clusterName());
    }

    private String ofCluster(String query) {
        return "aws eks describe-cluster --region %s --name %s --query cluster.resourcesVpcConfig.%s --output text"
                .formatted(what.region(), what.clusterName(), query);
    }

    Check subnets() {
        try {
            subnets = ec2.subnets(tagged());
        } catch (AwsFault fault) {
            return Check.fix("subnets", "cannot be looked for: " + fault.text());
        }
        if (subnets.isEmpty()) {
            return Check.fix(
                    "subnets",
                    "none has the tag %s=%s".formatted(Examination.DISCOVERY, what.clusterName()),
                    tag("$(%s)".formatted(ofCluster("subnetIds"))));
        }
        var freeByZone = new TreeMap<String, Integer>();
        subnets.forEach(
                subnet -> freeByZone.merge(subnet.zone(), subnet.freeAddresses(), Integer::sum));
        var words =
                freeByZone.entrySet().stream()
                        .map(zone -> "%s %d".formatted(zone.getKey(), zone.getValue()))
                        .collect(Collectors.joining(", "));
        var found = "%d, with free addresses in %s".formatted(subnets.size(), words);
        return freeByZone.values().stream().allMatch(free -> free == 0)
                ? Check.fix(
                        "subnets",
                        found + ": no node can start",
                        "aws ec2 describe-subnets --region %s --filters Name=tag:%s,Values=%s"
                                .formatted(
                                        what.region(), Examination.DISCOVERY, what.clusterName()))
                : Check.ok("subnets", found);
    }

    /// Empty when there is none.
    String anySubnet() {
        return subnets.isEmpty() ? "" : subnets.getFirst().id();
    }

    Check securityGroups() {
        try {
            var groups = ec2.securityGroups(tagged());
            return groups.isEmpty()
                    ? Check.fix(
                            "security-groups",
                            "none has the tag %s=%s"
                                    .formatted(Examination.DISCOVERY, what.clusterName()),
                            tag("$(%s)".formatted(ofCluster("clusterSecurityGroupId"))))
                    : Check.ok(
                            "security-groups",
                            groups.stream()
                                    .map(group -> group.id())
                                    .collect(Collectors.joining(", ")));
        } catch (AwsFault fault) {
            return Check.fix("security-groups", "cannot be looked for: " + fault.text());
        }
    }
}
