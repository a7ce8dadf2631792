package dev.millwright.providers.aws.controllers.nodeclass;

import static dev.millwright.providers.aws.controllers.nodeclass.ClassConditions.AMIS_READY;
import static dev.millwright.providers.aws.controllers.nodeclass.ClassConditions.INSTANCE_PROFILE_READY;
import static dev.millwright.providers.aws.controllers.nodeclass.ClassConditions.SECURITY_GROUPS_READY;
import static dev.millwright.providers.aws.controllers.nodeclass.ClassConditions.SUBNETS_READY;
import static dev.millwright.providers.aws.controllers.nodeclass.ClassConditions.VALIDATION_SUCCEEDED;

import dev.millwright.core.policy.NodePool;
import dev.millwright.kube.object.Condition.Status;
import dev.millwright.providers.aws.api.AwsFault;
import dev.millwright.providers.aws.cache.TimedCache;
import dev.millwright.providers.aws.network.ServiceCidr;
import dev.millwright.providers.aws.nodeclass.AmiFamily;
import dev.millwright.providers.aws.nodeclass.Ec2NodeClass;
import dev.millwright.providers.aws.nodeclass.NodeClassSpec;
import dev.millwright.providers.aws.nodeclass.NodeClassStatus;
import dev.millwright.providers.aws.nodeclass.ResourceTags;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.SequencedMap;
import java.util.Set;

/// Whether EC2 would let a class's launches through.
///
/// What was tried is remembered for a while, by all that a launch is made of: trying costs three
/// calls, and a class is looked at every minute.
public final class Validation {

    private static final Duration KEPT = Duration.ofMinutes(30);
    private static final Duration AGAIN = Duration.ofMinutes(10);
    private static final String DEPENDENCIES = "DependenciesNotReady";
    private static final List<String> NEEDED =
            List.of(AMIS_READY, INSTANCE_PROFILE_READY, SECURITY_GROUPS_READY, SUBNETS_READY);

    private final ServiceCidr cidr;
    private final @Nullable Trial trial;
    private final TimedCache<Tried, Verdict> verdicts;

    /// All that the outcome of a trial depends on. The annotations are part of it so that anybody
    /// can have a class tried again by adding one. The order of subnets is not: it changes with
    /// every launch.
    private record Tried(
            String className,
            Set<NodeClassStatus.Subnet> subnets,
            List<NodeClassStatus.SecurityGroup> securityGroups,
            List<NodeClassStatus.Ami> amis,
            @Nullable String instanceProfile,
            NodeClassSpec spec,
            SequencedMap<String, String> annotations) {

        static Tried of(Ec2NodeClass nodeClass) {
            var status = nodeClass.status();
            return new Tried(
                    nodeClass.name(),
                    Set.copyOf(status.subnets()),
                    status.securityGroups(),
                    status.amis(),
                    status.instanceProfile(),
                    nodeClass.spec(),
                    nodeClass.meta().annotations());
        }
    }

    /// @param trial null where nothing is tried
    public Validation(ServiceCidr cidr, @Nullable Trial trial, InstantSource clock) {
        this.cidr = cidr;
        this.trial = trial;
        this.verdicts = new TimedCache<>(clock, KEPT);
    }

    /// @param pools those that use the class
    Look look(Look look, List<NodePool> pools) {
        var nodeClass = look.nodeClass();
        if (nodeClass.spec().family() == AmiFamily.AL2023) {
            try {
                cidr.ask();
            } catch (AwsFault fault) {
                return fault.isPassing()
                        ? look.unsettled()
                        : look.unready(
                                        VALIDATION_SUCCEEDED,
                                        "ClusterCIDRResolutionFailed",
                                        "EC2NodeClass %s: the range of service addresses, which AL2023 needs, is not known: %s"
                                                .formatted(nodeClass.name(), fault.text()))
                                .failed("service addresses: " + fault.text());
            }
        }
        var waiting = waiting(look);
        if (waiting != null) {
            return waiting.againAfter(AGAIN);
        }
        var unfit = unfit(look);
        if (unfit != null) {
            return apply(look, unfit);
        }
        return tried(look, pools);
    }

    private static @Nullable Look waiting(Look look) {
        for (var wanted : List.of(Status.FALSE, Status.UNKNOWN)) {
            var found =
                    NEEDED.stream()
                            .filter(type -> look.conditions().status(type) == wanted)
                            .toList();
            if (!found.isEmpty()) {
                var message =
                        "EC2NodeClass %s: not tried, since %s is %s"
                                .formatted(
                                        look.nodeClass().name(),
                                        String.join(", ", found),
                                        wanted.text());
                return wanted == Status.FALSE
                        ? look.unready(VALIDATION_SUCCEEDED, DEPENDENCIES, message)
                        : look.unknown(VALIDATION_SUCCEEDED, DEPENDENCIES, message);
            }
        }
        return null;
    }

    /// What no trial is needed for.
    private static @Nullable Verdict unfit(Look look) {
        var nodeClass = look.nodeClass();
        var tag = ResourceTags.restricted(nodeClass.spec());
        if (tag != null) {
            return new Verdict.Refused(
                    "TagValidationFailed",
                    "EC2NodeClass %s: tag \"%s\" is not yours to set; take it out of spec.tags"
                            .formatted(nodeClass.name(), tag));
        }
        return nodeClass.faults().isEmpty()
                ? null
                : new Verdict.Refused(
                        "SpecUnreadable",
                        "EC2NodeClass %s: %s"
                                .formatted(
                                        nodeClass.name(), String.join("; ", nodeClass.faults())));
    }

    private Look tried(Look look, List<NodePool> pools) {
        var nodeClass = look.found();
        var key = Tried.of(nodeClass);
        var known = verdicts.find(key);
        if (known != null) {
            return apply(look, known);
        }
        var verdict = trial == null ? new Verdict.Good() : trial.of(nodeClass, pools);
        switch (verdict) {
            case Verdict.Good(), Verdict.Refused(_, _) -> verdicts.put(key, verdict);
            case Verdict.Unsettled(_), Verdict.Failed(_) -> {}
        }
        return apply(look, verdict);
    }

    private static Look apply(Look look, Verdict verdict) {
        return switch (verdict) {
            case Verdict.Good() -> look.ready(VALIDATION_SUCCEEDED).againAfter(AGAIN);
            case Verdict.Refused(var reason, var message) ->
                    look.unready(VALIDATION_SUCCEEDED, reason, message).againAfter(AGAIN);
            case Verdict.Unsettled(var refused) ->
                    (refused == null
                                    ? look
                                    : look.unready(
                                            VALIDATION_SUCCEEDED,
                                            refused.reason(),
                                            refused.message()))
                            .unsettled();
            case Verdict.Failed(var why) -> look.failed("validation: " + why);
        };
    }

    /// Forgets what became of a class that is gone.
    void forget(String className) {
        for (var key : verdicts.all().sequencedKeySet()) {
            if (key.className().equals(className)) {
                verdicts.remove(key);
            }
        }
    }
}
