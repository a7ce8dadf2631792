package dev.millwright.providers.aws.doctor;

import dev.millwright.kube.client.KubeApi;
import dev.millwright.providers.aws.api.AwsFault;
import dev.millwright.providers.aws.api.Ec2Api;
import dev.millwright.providers.aws.api.EksApi;
import dev.millwright.providers.aws.api.IamApi;
import dev.millwright.providers.aws.api.IdentityApi;
import dev.millwright.providers.aws.api.SqsApi;
import dev.millwright.providers.aws.api.SsmApi;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Looks at everything the operator needs of an account and a cluster, in an order in which what
/// comes first explains what fails later.
public final class Doctor {

    /// What takes the cluster's name.
    private static final List<String> NAMED =
            List.of(
                    "cluster",
                    "subnets",
                    "security-groups",
                    "images",
                    "ec2-read",
                    "ec2-launch",
                    "ec2-change");

    private static final List<String> OF_ACCOUNT = List.of("queue", "node-role", "spot-role");

    private static final List<String> OF_CLUSTER = List.of("definitions", "static-nodes");

    private static final String SPOT_ROLE = "AWSServiceRoleForEC2Spot";

    /// Whom we ask.
    public record Services(
            IdentityApi identity, Ec2Api ec2, IamApi iam, EksApi eks, SqsApi sqs, SsmApi ssm) {}

    private final Services services;
    private final @Nullable KubeApi cluster;

    /// @param cluster null when there is no way to the API server; then nothing of it is looked at
    public Doctor(Services services, @Nullable KubeApi cluster) {
        this.services = services;
        this.cluster = cluster;
    }

    public List<Check> examine(Examination what) {
        var checks = new ArrayList<Check>();
        checks.add(Check.ok("region", what.region()));
        var who = identity(checks);
        if (who == null) {
            checks.addAll(skipped(NAMED, "needs credentials"));
            checks.addAll(skipped(OF_ACCOUNT, "needs credentials"));
        } else {
            if (what.clusterName().isEmpty()) {
                checks.addAll(skipped(NAMED, "needs the cluster's name"));
            } else {
                named(what, who, checks);
            }
            checks.add(queue(what));
            checks.add(nodeRole(what));
            checks.add(spotRole());
        }
        checks.addAll(ofCluster(cluster, what.clusterName()));
        return checks;
    }

    private void named(Examination what, IdentityApi.Identity who, List<Check> checks) {
        var eks = eksCluster(what, checks);
        var network = new NetworkChecks(services.ec2(), what);
        checks.add(network.subnets());
        checks.add(network.securityGroups());
        var image = image(what, eks, checks);
        if (eks == null) {
            checks.add(Check.skipped("images", "needs the cluster's version"));
        }
        checks.addAll(
                new PermissionChecks(services.ec2(), what, who).all(network.anySubnet(), image));
    }

    /// Of an account that cannot be asked at all.
    public static List<Check> withoutAccount(
            @Nullable KubeApi cluster, String clusterName, String why) {
        var checks = new ArrayList<Check>();
        checks.add(Check.skipped("credentials", why));
        checks.addAll(skipped(NAMED, why));
        checks.addAll(skipped(OF_ACCOUNT, why));
        checks.addAll(ofCluster(cluster, clusterName));
        return checks;
    }

    private static List<Check> ofCluster(@Nullable KubeApi cluster, String clusterName) {
        return cluster == null
                ? skipped(OF_CLUSTER, "needs the API server")
                : new ClusterChecks(cluster, clusterName.isEmpty() ? "NAME" : clusterName).all();
    }

    private static List<Check> skipped(List<String> names, String why) {
        return names.stream().map(name -> Check.skipped(name, why)).toList();
    }

    private IdentityApi.@Nullable Identity identity(List<Check> checks) {
        try {
            var who = services.identity().identity();
            checks.add(
                    Check.ok(
                            "credentials", "%s in account %s".formatted(who.arn(), who.account())));
            return who;
        } catch (AwsFault fault) {
            checks.add(
                    Check.fix(
                            "credentials",
                            "AWS does not say who we are: " + fault.text(),
                            "aws sts get-caller-identity",
                            "aws sso login"));
            return null;
        }
    }

    private EksApi.@Nullable Cluster eksCluster(Examination what, List<Check> checks) {
        EksApi.Cluster found;
        try {
            found = services.eks().cluster(what.clusterName());
        } catch (AwsFault fault) {
            checks.add(
                    Check.fix(
                            "cluster",
                            "EKS does not tell of cluster %s: %s"
                                    .formatted(what.clusterName(), fault.text()),
                            "aws eks list-clusters --region " + what.region()));
            return null;
        }
        var server = what.server();
        if (server == null || host(server).equals(host(found.endpoint()))) {
            checks.add(
                    Check.ok(
                            "cluster",
                            "%s, Kubernetes %s, at %s"
                                    .formatted(
                                            what.clusterName(),
                                            found.version(),
                                            found.endpoint())));
        } else {
            checks.add(
                    Check.fix(
                            "cluster",
                            "the kubeconfig leads to %s; cluster %s is at %s"
                                    .formatted(server, what.clusterName(), found.endpoint()),
                            "aws eks update-kubeconfig --region %s --name %s"
                                    .formatted(what.region(), what.clusterName())));
        }
        return found;
    }

    /// Scheme, port and case say nothing about which cluster it is.
    private static String host(String url) {
        var host = url.toLowerCase(Locale.ROOT).replaceFirst("^https?://", "");
        return host.replaceFirst("[:/].*$", "");
    }

    /// The image that an alias of Amazon Linux 2023 leads to; empty when it is not known.
    private String image(Examination what, EksApi.@Nullable Cluster eks, List<Check> checks) {
        if (eks == null) {
            return "";
        }
        var name =
                "/aws/service/eks/optimized-ami/%s/amazon-linux-2023/x86_64/standard/recommended/image_id"
                        .formatted(eks.version());
        try {
            var image = services.ssm().parameter(name);
            checks.add(
                    Check.ok(
                            "images",
                            "Amazon Linux 2023 for Kubernetes %s is %s"
                                    .formatted(eks.version(), image)));
            return image;
        } catch (AwsFault fault) {
            checks.add(
                    Check.fix(
                            "images",
                            "the parameter of an image cannot be read: " + fault.text(),
                            "aws ssm get-parameter --region %s --name %s"
                                    .formatted(what.region(), name)));
            return "";
        }
    }

    /// A message that is read here stays visible to everybody.
    private Check queue(Examination what) {
        var name = what.queue();
        if (name.isEmpty()) {
            return Check.unknown(
                    "queue",
                    "none is named: interruptions will come without warning; see --interruption-queue");
        }
        try {
            var url = services.sqs().queueUrl(name);
            services.sqs().receive(url, 1, Duration.ZERO, Duration.ZERO);
            return Check.ok("queue", url);
        } catch (AwsFault fault) {
            return fault.isNotFound()
                    ? Check.fix(
                            "queue",
                            "there is no queue " + name,
                            "aws sqs create-queue --region %s --queue-name %s --attributes MessageRetentionPeriod=300,SqsManagedSseEnabled=true"
                                    .formatted(what.region(), name))
                    : Check.fix(
                            "queue",
                            "queue %s cannot be read: %s".formatted(name, fault.text()),
                            "aws sqs get-queue-url --region %s --queue-name %s"
                                    .formatted(what.region(), name));
        }
    }

    private Check nodeRole(Examination what) {
        var name = what.nodeRole();
        if (name.isEmpty()) {
            return Check.unknown("node-role", "none is named; see --node-role");
        }
        return role(
                "node-role",
                name,
                "aws iam create-role --role-name %s --assume-role-policy-document '%s'"
                        .formatted(
                                name,
                                "{\"Version\":\"2012-10-17\",\"Statement\":[{\"Effect\":\"Allow\",\"Principal\":"
                                        + "{\"Service\":\"ec2.amazonaws.com\"},\"Action\":\"sts:AssumeRole\"}]}"),
                attach(name, "AmazonEKSWorkerNodePolicy"),
                attach(name, "AmazonEKS_CNI_Policy"),
                attach(name, "AmazonEC2ContainerRegistryPullOnly"),
                attach(name, "AmazonSSMManagedInstanceCore"));
    }

    private static String attach(String role, String policy) {
        return "aws iam attach-role-policy --role-name %s --policy-arn arn:aws:iam::aws:policy/%s"
                .formatted(role, policy);
    }

    private Check spotRole() {
        return role(
                "spot-role",
                SPOT_ROLE,
                "aws iam create-service-linked-role --aws-service-name spot.amazonaws.com");
    }

    private Check role(String check, String name, String... commands) {
        try {
            return Check.ok(check, services.iam().roleArn(name));
        } catch (AwsFault fault) {
            return fault.isNotFound()
                    ? Check.fix(check, "there is no role " + name, commands)
                    : Check.unknown(
                            check,
                            "role %s cannot be looked at: %s".formatted(name, fault.text()),
                            "aws iam get-role --role-name " + name);
        }
    }
}
