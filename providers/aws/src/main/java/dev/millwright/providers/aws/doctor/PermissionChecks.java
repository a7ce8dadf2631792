package dev.millwright.providers.aws.doctor;

import dev.millwright.providers.aws.api.AwsFault;
import dev.millwright.providers.aws.api.Ec2Action;
import dev.millwright.providers.aws.api.Ec2Api;
import dev.millwright.providers.aws.api.Filter;
import dev.millwright.providers.aws.api.IdentityApi;
import dev.millwright.providers.aws.api.TrialTarget;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Which of EC2's actions we may do, found by asking for each without having it done.
///
/// What is asked for beyond permission does not matter here: a request that EC2 takes apart and
/// finds wrong was let through.
final class PermissionChecks {

    private static final String NO_INSTANCE = "i-00000000000000000";
    private static final String NO_TEMPLATE = "millwright-doctor";
    private static final String NO_SUBNET = "subnet-00000000000000000";
    private static final String NO_IMAGE = "ami-00000000000000000";

    private static final Set<Ec2Action> LAUNCHING =
            Set.of(
                    Ec2Action.CREATE_FLEET,
                    Ec2Action.RUN_INSTANCES,
                    Ec2Action.CREATE_LAUNCH_TEMPLATE);

    private static final Pattern ASSUMED = Pattern.compile(":assumed-role/([^/]+)/");

    private final Ec2Api ec2;
    private final Examination what;
    private final IdentityApi.Identity who;

    /// @param who whose permissions these are
    PermissionChecks(Ec2Api ec2, Examination what, IdentityApi.Identity who) {
        this.ec2 = ec2;
        this.what = what;
        this.who = who;
    }

    /// @param subnet empty when none is known
    /// @param image empty when none is known
    List<Check> all(String subnet, String image) {
        var target = target(subnet, image);
        return List.of(
                check("ec2-read", target, Stream.of(Ec2Action.values()).filter(Ec2Action::isRead)),
                check(
                        "ec2-launch",
                        target,
                        Stream.of(Ec2Action.values()).filter(LAUNCHING::contains)),
                check(
                        "ec2-change",
                        target,
                        Stream.of(Ec2Action.values())
                                .filter(each -> !each.isRead() && !LAUNCHING.contains(each))));
    }

    /// Something of our own where there is any: policies ask for its tags.
    private TrialTarget target(String subnet, String image) {
        var tags = new TreeMap<String, String>();
        tags.put("kubernetes.io/cluster/" + what.clusterName(), "owned");
        tags.put("eks:eks-cluster-name", what.clusterName());
        tags.put("karpenter.sh/nodepool", "millwright-doctor");
        var ours =
                List.of(
                        Filter.of("tag:eks:eks-cluster-name", what.clusterName()),
                        Filter.of("tag-key", "karpenter.sh/nodepool"));
        var instance = NO_INSTANCE;
        var template = NO_TEMPLATE;
        try {
            var running = new ArrayList<>(ours);
            running.add(Filter.of("instance-state-name", "running"));
            var instances = ec2.instances(List.of(), running);
            instance = instances.isEmpty() ? NO_INSTANCE : instances.getFirst().id();
            var templates =
                    ec2.launchTemplates(
                            List.of(Filter.of("tag:eks:eks-cluster-name", what.clusterName())));
            template = templates.isEmpty() ? NO_TEMPLATE : templates.getFirst().name();
        } catch (AwsFault _) {
            // Told by the trials of these very actions.
        }
        return new TrialTarget(
                instance,
                template,
                subnet.isEmpty() ? NO_SUBNET : subnet,
                image.isEmpty() ? NO_IMAGE : image,
                tags);
    }

    private Check check(String name, TrialTarget target, Stream<Ec2Action> actions) {
        var allowed = new ArrayList<String>();
        var refused = new ArrayList<String>();
        var unclear = new ArrayList<String>();
        for (var action : actions.toList()) {
            switch (tried(action, target)) {
                case OK -> allowed.add(action.text());
                case FIX -> refused.add(action.text());
                case UNKNOWN, SKIPPED -> unclear.add(action.text());
            }
        }
        if (!refused.isEmpty()) {
            return Check.fix(
                    name,
                    "%s may not do %s".formatted(who.arn(), String.join(", ", refused)),
                    policy(name, refused));
        }
        return unclear.isEmpty()
                ? Check.ok(name, String.join(", ", allowed))
                : Check.unknown(
                        name,
                        "cannot be told of %s before there is a first node; look again then"
                                .formatted(String.join(", ", unclear)));
    }

    private Check.State tried(Ec2Action action, TrialTarget target) {
        try {
            ec2.tryAction(action, target);
            return Check.State.OK;
        } catch (AwsFault fault) {
            if (fault.isUnauthorized()) {
                return isOnNothingOfOurs(action, target) ? Check.State.UNKNOWN : Check.State.FIX;
            }
            return fault.isPassing() ? Check.State.UNKNOWN : Check.State.OK;
        }
    }

    private static boolean isOnNothingOfOurs(Ec2Action action, TrialTarget target) {
        return switch (action.on()) {
            case NOTHING -> false;
            case INSTANCE -> target.instanceId().equals(NO_INSTANCE);
            case TEMPLATE -> target.templateName().equals(NO_TEMPLATE);
        };
    }

    private String policy(String name, List<String> actions) {
        var assumed = ASSUMED.matcher(who.arn());
        var role = assumed.find() ? assumed.group(1) : what.clusterName() + "-karpenter";
        var list = actions.stream().map("\"ec2:%s\""::formatted).collect(Collectors.joining(","));
        return "aws iam put-role-policy --role-name %s --policy-name millwright-%s --policy-document '%s'"
                .formatted(
                        role,
                        name,
                        "{\"Version\":\"2012-10-17\",\"Statement\":[{\"Effect\":\"Allow\",\"Action\":[%s],\"Resource\":\"*\"}]}"
                                .formatted(list));
    }
}
