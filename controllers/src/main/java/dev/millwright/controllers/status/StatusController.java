package dev.millwright.controllers.status;

import dev.millwright.controllers.metrics.ConditionFamilies;
import dev.millwright.controllers.status.Sightings.Sighting;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.event.KubeEvent;
import dev.millwright.kube.object.Condition;
import dev.millwright.kube.object.KubeObject;
import dev.millwright.runtime.metrics.GaugeSample;
import dev.millwright.runtime.step.Controller;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Pace;
import dev.millwright.runtime.step.Step;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Tells of one kind's conditions, by comparing each object with what it was when last seen. Two
/// changes between two looks are seen as one.
public final class StatusController<T extends KubeObject> implements Controller {

    private static final Duration RECHECK = Duration.ofSeconds(10);
    private static final int AT_ONCE_MAX = 10;

    private final StatusKind<T> kind;
    private final ConditionFamilies families;
    private final Sightings sightings = new Sightings();

    public StatusController(StatusKind<T> kind) {
        this.kind = kind;
        this.families = kind.families();
    }

    @Override
    public String name() {
        return "operatorpkg.%s.status"
                .formatted(kind.kind().type().kind().toLowerCase(Locale.ROOT));
    }

    @Override
    public List<Watch<?>> watches() {
        return List.of(Watch.own(kind.kind()));
    }

    @Override
    public Pace pace() {
        return Pace.of(AT_ONCE_MAX);
    }

    @Override
    public Step step(View view, ObjectName key, Instant now) {
        var object = view.cache(kind.kind()).find(key);
        var before = sightings.find(key);
        var effects = new ArrayList<Effect>();
        if (before != null
                && (object == null || !object.meta().uid().equals(before.subject().uid()))) {
            effects.addAll(departure(before, now));
            sightings.forget(key);
            before = null;
        }
        var owner = name() + "/" + key;
        if (object == null) {
            effects.add(new Effect.Gauges(owner, List.of()));
            return Step.of(effects);
        }
        var after = sighting(object);
        sightings.put(key, after);
        effects.addAll(changes(before, after));
        effects.add(new Effect.Gauges(owner, gauges(after, now)));
        return Step.of(effects).thenAgain(RECHECK);
    }

    private Sighting sighting(T object) {
        var meta = object.meta();
        return new Sighting(
                KubeEvent.Subject.of(kind.kind().type(), object),
                kind.conditions().apply(object),
                meta.finalizers(),
                kind.extraKeys().stream().map(meta::label).toList(),
                meta.deletedAt());
    }

    /// A place where a number is told: the families, and the labels that go with all of them.
    private record Place(ConditionFamilies families, List<String> extras) {

        List<String> labels(String... first) {
            var labels = new ArrayList<>(List.of(first));
            labels.addAll(extras);
            return labels;
        }
    }

    private List<Place> places(Sighting sighting) {
        var own = new Place(families, sighting.extras());
        if (!kind.isAlsoDeprecated()) {
            return List.of(own);
        }
        var type = kind.kind().type();
        return List.of(
                own, new Place(ConditionFamilies.DEPRECATED, List.of(type.group(), type.kind())));
    }

    private List<Effect> departure(Sighting before, Instant now) {
        var effects = new ArrayList<Effect>();
        before.finalizers().forEach(each -> effects.add(finalized(before, each)));
        if (before.deletedAt() != null) {
            for (var place : places(before)) {
                effects.add(
                        new Effect.Observe(
                                place.families().terminationDuration(),
                                seconds(before.deletedAt(), now),
                                place.labels()));
            }
        }
        return effects;
    }

    private List<Effect> changes(@Nullable Sighting before, Sighting after) {
        var effects = new ArrayList<Effect>();
        if (before != null) {
            before.finalizers().stream()
                    .filter(each -> !after.finalizers().contains(each))
                    .forEach(each -> effects.add(finalized(after, each)));
        }
        for (var condition : after.conditions()) {
            var known = before == null ? null : before.find(condition.type());
            if (known == null || known.status() != condition.status()) {
                effects.addAll(transition(after, known, condition));
            }
        }
        return effects;
    }

    /// Of a condition seen for the first time nobody knows what it was before: it is counted only.
    private List<Effect> transition(Sighting object, @Nullable Condition before, Condition after) {
        var effects = new ArrayList<Effect>();
        for (var place : places(object)) {
            effects.add(
                    new Effect.Count(
                            place.families().transitions(),
                            1,
                            place.labels(after.type(), after.status().text(), after.reason())));
            if (before != null) {
                effects.add(
                        new Effect.Observe(
                                place.families().transition(),
                                seconds(before.changedAt(), after.changedAt()),
                                place.labels(before.type(), before.status().text())));
            }
        }
        if (before != null) {
            effects.add(new Effect.Publish(transitioned(object.subject(), before, after)));
        }
        return effects;
    }

    /// Every change is news, even of a condition that goes back and forth.
    private static KubeEvent transitioned(
            KubeEvent.Subject subject, Condition before, Condition after) {
        var message =
                "condition %s: %s -> %s, reason %s"
                        .formatted(
                                after.type(),
                                before.status().text(),
                                after.status().text(),
                                after.reason());
        return KubeEvent.normal(
                        subject,
                        after.type(),
                        after.message().isEmpty() ? message : message + ": " + after.message())
                .dedupedBy(
                        List.of(
                                subject.uid(),
                                before.status().text(),
                                after.status().text(),
                                after.changedAt().toString()),
                        KubeEvent.DEDUPE_DEFAULT);
    }

    private static Effect finalized(Sighting object, String finalizer) {
        return new Effect.Publish(
                KubeEvent.normal(
                                object.subject(),
                                "Finalized",
                                "finalizer %s is gone".formatted(finalizer))
                        .dedupedBy(
                                List.of(object.subject().uid(), finalizer),
                                KubeEvent.DEDUPE_DEFAULT));
    }

    private List<GaugeSample> gauges(Sighting object, Instant now) {
        var name = object.subject().name();
        var samples = new ArrayList<GaugeSample>();
        for (var place : places(object)) {
            for (var condition : object.conditions()) {
                var labels =
                        place.labels(
                                name.namespace(),
                                name.name(),
                                condition.type(),
                                condition.status().text(),
                                condition.reason());
                samples.add(new GaugeSample(place.families().count(), 1, labels));
                samples.add(
                        new GaugeSample(
                                place.families().currentStatus(),
                                seconds(condition.changedAt(), now),
                                labels));
            }
            if (object.deletedAt() != null) {
                samples.add(
                        new GaugeSample(
                                place.families().terminationCurrentTime(),
                                seconds(object.deletedAt(), now),
                                place.labels(name.namespace(), name.name())));
            }
        }
        return samples;
    }

    private static double seconds(Instant from, Instant until) {
        return Math.max(0, Duration.between(from, until).toMillis() / 1e3);
    }
}
