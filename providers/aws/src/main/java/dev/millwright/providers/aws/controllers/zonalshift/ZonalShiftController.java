package dev.millwright.providers.aws.controllers.zonalshift;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.policy.NodePool;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.event.KubeEvent;
import dev.millwright.kube.object.NodeClassObject;
import dev.millwright.kube.object.PoolObject;
import dev.millwright.providers.aws.api.Asked;
import dev.millwright.providers.aws.api.AwsFault;
import dev.millwright.providers.aws.controllers.Classes;
import dev.millwright.providers.aws.network.ZonalShifts;
import dev.millwright.providers.aws.nodeclass.Ec2NodeClass;
import dev.millwright.runtime.log.LogLevel;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Effect.Ask.Touch;
import dev.millwright.runtime.step.Singleton;
import dev.millwright.runtime.step.Step;
import dev.millwright.spi.ec2.Ec2Labels;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/// Asks for zonal shifts and tells the pools that could use the zone of each that begins or ends.
public final class ZonalShiftController implements Singleton {

    private static final Duration PERIOD = Duration.ofSeconds(30);

    private final Kind<NodeClassObject> kind;
    private final ZonalShifts shifts;

    /// The zones that pools were told of, by id.
    private volatile SortedSet<String> told = new TreeSet<>();

    public ZonalShiftController(Kind<NodeClassObject> kind, ZonalShifts shifts) {
        this.kind = kind;
        this.shifts = shifts;
    }

    @Override
    public String name() {
        return "zonalshift";
    }

    @Override
    public Step step(View view, ObjectName key, Instant now) {
        return Step.of(
                new Effect.Ask<>(
                        "which zones are shifted away from",
                        Touch.READS,
                        () -> Asked.of(this::shifted),
                        asked -> heard(asked, view)));
    }

    private SortedSet<String> shifted() throws AwsFault {
        shifts.refresh();
        return shifts.shiftedIds();
    }

    private Step heard(Asked<SortedSet<String>> asked, View view) {
        return switch (asked) {
            case Asked.Refused<SortedSet<String>>(var fault) ->
                    Step.failed("zonal shifts are not told: " + fault.text());
            case Asked.Told<SortedSet<String>>(var now) when now.equals(told) -> Step.again(PERIOD);
            case Asked.Told<SortedSet<String>>(var now) -> {
                var effects = new ArrayList<Effect>();
                for (var id : without(now, told)) {
                    effects.addAll(news(view, id, true));
                }
                for (var id : without(told, now)) {
                    effects.addAll(news(view, id, false));
                }
                effects.add(new Effect.Remember("the shifts that were told", () -> told = now));
                yield Step.of(effects).thenAgain(PERIOD);
            }
        };
    }

    private static SortedSet<String> without(SortedSet<String> all, SortedSet<String> others) {
        var rest = new TreeSet<>(all);
        rest.removeAll(others);
        return rest;
    }

    private List<Effect> news(View view, String zoneId, boolean isActive) {
        var effects = new ArrayList<Effect>();
        var zone = zone(view, zoneId);
        effects.add(
                new Effect.Say(
                        LogLevel.INFO,
                        isActive ? "zonal shift began" : "zonal shift ended",
                        "zone-id",
                        zoneId,
                        "zone",
                        zone == null ? "" : zone));
        if (zone == null) {
            // No class has a subnet there: no pool launches into it, shifted or not.
            return effects;
        }
        for (var pool : view.pools()) {
            if (canUse(pool.pool(), zone, zoneId)) {
                effects.add(new Effect.Publish(event(pool, zone, zoneId, isActive)));
            }
        }
        return effects;
    }

    private @Nullable String zone(View view, String zoneId) {
        for (var nodeClass : Classes.in(view, kind)) {
            for (var subnet : nodeClass.status().subnets()) {
                if (subnet.zoneId().equals(zoneId)) {
                    return subnet.zone();
                }
            }
        }
        return null;
    }

    private static boolean canUse(NodePool pool, String zone, String zoneId) {
        var requirements = pool.domainRequirements(Ec2Labels.VOCABULARY);
        return Ec2NodeClass.KIND.describes(pool.template().nodeClassRef())
                && requirements.on(LabelKeys.ZONE).has(zone)
                && requirements.on(Ec2Labels.ZONE_ID).has(zoneId);
    }

    private static KubeEvent event(PoolObject pool, String zone, String zoneId, boolean isActive) {
        var subject = KubeEvent.Subject.of(ResourceType.NODE_POOL, pool);
        var event =
                isActive
                        ? KubeEvent.warning(
                                subject,
                                "ZonalShiftActive",
                                "the cluster is shifted away from zone %s (%s): nothing is launched or deleted there until the shift ends"
                                        .formatted(zone, zoneId))
                        : KubeEvent.normal(
                                subject,
                                "ZonalShiftCleared",
                                "the cluster is no longer shifted away from zone %s (%s)"
                                        .formatted(zone, zoneId));
        return event.dedupedBy(List.of(subject.uid(), zoneId), KubeEvent.DEDUPE_DEFAULT);
    }
}
