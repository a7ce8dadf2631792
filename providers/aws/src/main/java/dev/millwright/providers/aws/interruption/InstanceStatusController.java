package dev.millwright.providers.aws.interruption;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.cache.View;
import dev.millwright.providers.aws.api.AwsFault;
import dev.millwright.providers.aws.api.Ec2Api;
import dev.millwright.providers.aws.api.Filter;
import dev.millwright.providers.aws.api.InstanceStatusInfo;
import dev.millwright.runtime.log.LogLevel;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Singleton;
import dev.millwright.runtime.step.Step;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;

/// Asks EC2 every minute which instances it calls unhealthy, and has their pods leave.
public final class InstanceStatusController implements Singleton {

    private static final Duration PERIOD = Duration.ofMinutes(1);

    /// A check may fail for a moment; a machine is given up when it has failed for longer.
    private static final Duration IMPAIRED = Duration.ofMinutes(2);

    private static final int AT_ONCE = 10;

    private static final List<List<Filter>> QUESTIONS =
            List.of(
                    List.of(Filter.of("instance-status.status", "impaired")),
                    List.of(Filter.of("system-status.status", "impaired")),
                    List.of(
                            Filter.of(
                                    "event.code",
                                    "instance-reboot",
                                    "system-reboot",
                                    "system-maintenance",
                                    "instance-retirement",
                                    "instance-stop")));

    private sealed interface Found {
        record All(List<InstanceStatusInfo> statuses) implements Found {}

        record Failed(AwsFault fault) implements Found {}
    }

    private record Seen(String instanceId, Kind kind) {}

    private final Ec2Api ec2;
    private final Departures departures;

    /// What has been counted and not recovered since.
    private final Set<Seen> counted = new HashSet<>();

    public InstanceStatusController(Ec2Api ec2, Departures departures) {
        this.ec2 = ec2;
        this.departures = departures;
    }

    @Override
    public String name() {
        return "interruption.instancestatus";
    }

    @Override
    public Step step(View view, ObjectName key, Instant now) {
        return Step.of(
                new Effect.Ask<>(
                        "describe the status of instances",
                        Effect.Ask.Touch.READS,
                        this::ask,
                        found -> found(view, found, now)));
    }

    private Found ask() {
        var statuses = new TreeMap<String, InstanceStatusInfo>();
        try {
            for (var filters : QUESTIONS) {
                for (var status : ec2.statuses(filters)) {
                    statuses.put(status.id(), status);
                }
            }
            return new Found.All(List.copyOf(statuses.values()));
        } catch (AwsFault fault) {
            return new Found.Failed(fault);
        }
    }

    /// Who may not ask is told once, and asks again after a restart.
    private Step found(View view, Found found, Instant now) {
        return switch (found) {
            case Found.Failed(var fault) ->
                    fault.isUnauthorized()
                            ? Step.of(
                                    new Effect.Say(
                                            LogLevel.ERROR,
                                            "instance status is not looked at: allow"
                                                    + " ec2:DescribeInstanceStatus and restart",
                                            "error",
                                            fault.text()))
                            : Step.failed(
                                    "the status of instances cannot be asked for: " + fault.text());
            case Found.All(var statuses) -> Step.of(actedOn(view, statuses, now)).thenAgain(PERIOD);
        };
    }

    private List<Effect> actedOn(View view, List<InstanceStatusInfo> statuses, Instant now) {
        var seen = new HashSet<Seen>();
        var effects = new ArrayList<Effect>();
        var steps = new ArrayList<Step>();
        for (var status : statuses) {
            var ofInstance = departures.claimsOn(view, status.id());
            if (ofInstance.isEmpty()) {
                continue;
            }
            var kinds = kinds(status, now);
            for (var kind : kinds) {
                seen.add(new Seen(status.id(), kind));
                if (!counted.contains(new Seen(status.id(), kind))) {
                    effects.add(new Effect.Count(InterruptionFamilies.UNHEALTHY, category(kind)));
                }
            }
            for (var claim : ofInstance) {
                var all = new ArrayList<Effect>();
                var leaving = new HashSet<ObjectName>();
                kinds.forEach(kind -> all.addAll(departures.of(kind, claim, leaving, view, now)));
                steps.add(Step.of(all));
            }
        }
        effects.add(
                new Effect.Remember(
                        "unhealthy instances",
                        () -> {
                            counted.clear();
                            counted.addAll(seen);
                        }));
        if (!steps.isEmpty()) {
            effects.add(new Effect.Together(steps, AT_ONCE));
        }
        return effects;
    }

    /// The forceful ones first: the deadline must be on the claim before it is deleted.
    private static List<Kind> kinds(InstanceStatusInfo status, Instant now) {
        var kinds = new ArrayList<Kind>();
        if (isFailing(status.instance(), now)) {
            kinds.add(Kind.INSTANCE_STATUS);
        }
        if (isFailing(status.system(), now)) {
            kinds.add(Kind.SYSTEM_STATUS);
        }
        if (!status.eventCodes().isEmpty()) {
            kinds.add(Kind.EVENT_STATUS);
        }
        return kinds;
    }

    private static boolean isFailing(List<InstanceStatusInfo.Detail> details, Instant now) {
        return details.stream()
                .anyMatch(
                        detail ->
                                detail.status().equals("failed")
                                        && detail.impairedSince() != null
                                        && !detail.impairedSince().plus(IMPAIRED).isAfter(now));
    }

    private static String category(Kind kind) {
        return switch (kind) {
            case INSTANCE_STATUS -> "InstanceStatus";
            case SYSTEM_STATUS -> "SystemStatus";
            default -> "EventStatus";
        };
    }
}
