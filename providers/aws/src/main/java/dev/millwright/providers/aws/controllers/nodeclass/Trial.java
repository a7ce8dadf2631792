package dev.millwright.providers.aws.controllers.nodeclass;

import dev.millwright.core.policy.NodePool;
import dev.millwright.providers.aws.api.AwsFault;
import dev.millwright.providers.aws.api.Ec2Api;
import dev.millwright.providers.aws.api.FleetRequest;
import dev.millwright.providers.aws.api.TrialInstance;
import dev.millwright.providers.aws.launch.LaunchReason;
import dev.millwright.providers.aws.nodeclass.Ec2NodeClass;
import dev.millwright.providers.aws.trial.LaunchTrial;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// Asks EC2 whether it would let a class's launch through, in the three calls a launch takes.
public final class Trial {

    private static final String PROFILE_MISSING = "Invalid IAM Instance Profile name";
    private static final String USER_DATA_TOO_LONG = "User data is limited to";

    private final Ec2Api ec2;
    private final LaunchTrial launch;

    public Trial(Ec2Api ec2, LaunchTrial launch) {
        this.ec2 = ec2;
        this.launch = launch;
    }

    Verdict of(Ec2NodeClass nodeClass, List<NodePool> pools) {
        try {
            return switch (launch.plan(nodeClass, pools)) {
                case LaunchTrial.Plan.Impossible(var why) -> new Verdict.Failed(why);
                case LaunchTrial.Plan.Ready(var fleet, var instances) ->
                        tried(nodeClass, fleet, instances);
            };
        } catch (AwsFault fault) {
            return template(nodeClass, fault);
        }
    }

    private static Verdict template(Ec2NodeClass nodeClass, AwsFault fault) {
        if (fault.code().equals("InvalidUserData.Malformed")
                && fault.text().contains(USER_DATA_TOO_LONG)) {
            return new Verdict.Refused(
                    "UserDataSizeLimitExceeded",
                    "EC2NodeClass %s: the nodes' user data is longer than EC2 takes, which is 16384 bytes: %s"
                            .formatted(nodeClass.name(), fault.getMessage()));
        }
        return verdict(
                nodeClass, fault, "CreateLaunchTemplateAuthCheckFailed", "making launch templates");
    }

    private Verdict tried(
            Ec2NodeClass nodeClass, FleetRequest fleet, List<TrialInstance> instances) {
        try {
            ec2.tryFleet(fleet);
        } catch (AwsFault fault) {
            return verdict(nodeClass, fault, "CreateFleetAuthCheckFailed", "creating fleets");
        }
        // One subnet that works will do; otherwise what the first one met is as good as any.
        AwsFault first = null;
        for (var instance : instances) {
            var fault = refusal(instance);
            if (fault == null) {
                return new Verdict.Good();
            }
            first = first == null ? fault : first;
        }
        if (first == null) {
            return new Verdict.Failed("there is no subnet to try an instance in");
        }
        return isProfileMissing(first)
                ? withoutProfile(nodeClass)
                : verdict(nodeClass, first, "RunInstancesAuthCheckFailed", "running instances");
    }

    private @Nullable AwsFault refusal(TrialInstance instance) {
        try {
            ec2.tryInstance(instance);
            return null;
        } catch (AwsFault fault) {
            return fault;
        }
    }

    private static boolean isProfileMissing(AwsFault fault) {
        return fault.code().equals("InvalidParameterValue")
                && fault.text().contains(PROFILE_MISSING);
    }

    /// EC2 hears of a new profile seconds after IAM made it. One that is named by its user may
    /// never come.
    private static Verdict withoutProfile(Ec2NodeClass nodeClass) {
        var named = nodeClass.spec().instanceProfile();
        return new Verdict.Unsettled(
                named == null
                        ? null
                        : new Verdict.Refused(
                                "InstanceProfileNotFound",
                                "EC2NodeClass %s: instance profile \"%s\" is not there; make it, or name another"
                                        .formatted(nodeClass.name(), named)));
    }

    private static Verdict verdict(
            Ec2NodeClass nodeClass, AwsFault fault, String reason, String doing) {
        if (fault.isPassing()) {
            return new Verdict.Unsettled(null);
        }
        return fault.isUnauthorized()
                ? new Verdict.Refused(
                        reason,
                        "EC2NodeClass %s: the controller is not allowed %s: %s"
                                .formatted(
                                        nodeClass.name(),
                                        doing,
                                        LaunchReason.of(fault.text()).message()))
                : new Verdict.Failed("%s: %s".formatted(doing, fault.text()));
    }
}
