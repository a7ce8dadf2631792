package dev.millwright.controllers.nodeclaim.disruption;

import dev.millwright.controllers.effect.AutoscalerEffect;
import dev.millwright.controllers.nodeclaim.ClaimChange;
import dev.millwright.controllers.nodeclaim.MachineClaims;
import dev.millwright.controllers.nodeclaim.disruption.DriftMemory.Facts;
import dev.millwright.controllers.nodeclaim.disruption.DriftMemory.Judgement;
import dev.millwright.controllers.provisioning.Catalogs;
import dev.millwright.controllers.settings.Concurrency;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.label.LabelVocabulary;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.kube.object.Condition;
import dev.millwright.kube.object.Conditions;
import dev.millwright.kube.object.NodeClassObject;
import dev.millwright.kube.object.PoolObject;
import dev.millwright.runtime.step.Controller;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Pace;
import dev.millwright.runtime.step.Step;
import dev.millwright.spi.CatalogAnswer;
import dev.millwright.spi.DriftAnswer;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// Keeps the conditions Drifted and Consolidatable of claims that belong to a pool.
///
/// Objects are compared in every step; the cloud is asked when one of them changed, and each five
/// minutes besides.
public final class ClaimDisruptionController implements Controller {

    private static final Duration DRIFT_PERIOD = Duration.ofMinutes(5);

    /// A machine that was just launched was in the catalogue.
    private static final Duration TYPE_AGE_MIN = Duration.ofHours(1);

    private static final Duration TYPE_PERIOD = Duration.ofMinutes(30);
    private static final int AT_ONCE_MIN = 10;
    private static final int AT_ONCE_MAX = 1_000;

    private final Drift drift;
    private final Catalogs catalogs;
    private final DriftMemory memory;
    private final List<Kind<NodeClassObject>> classKinds;
    private final Pace pace;

    /// What a step is about.
    private record Case(View view, ClaimObject claim, PoolObject pool, Instant now) {
        Facts facts() {
            return Facts.of(claim, pool, view.nodeClass(claim.spec().nodeClassRef()));
        }

        String name() {
            return claim.name().name();
        }
    }

    public ClaimDisruptionController(
            LabelVocabulary vocabulary,
            Catalogs catalogs,
            DriftMemory memory,
            List<Kind<NodeClassObject>> classKinds,
            double cores) {
        this.drift = new Drift(vocabulary);
        this.catalogs = catalogs;
        this.memory = memory;
        this.classKinds = List.copyOf(classKinds);
        this.pace = Pace.of(Concurrency.scale(AT_ONCE_MIN, AT_ONCE_MAX, cores));
    }

    @Override
    public String name() {
        return "nodeclaim.disruption";
    }

    @Override
    public Pace pace() {
        return pace;
    }

    @Override
    public List<Watch<?>> watches() {
        var watches = new ArrayList<Watch<?>>();
        watches.add(Watch.own(Kind.NODE_CLAIM));
        watches.add(new Watch<>(Kind.NODE_POOL, DisruptionCalls::ofPool));
        classKinds.forEach(
                kind ->
                        watches.add(
                                new Watch<>(
                                        kind,
                                        (view, change) ->
                                                DisruptionCalls.ofClass(
                                                        view, kind, change.name()))));
        return watches;
    }

    @Override
    public Step step(View view, ObjectName key, Instant now) {
        var claim = view.claim(key.name());
        if (claim == null) {
            memory.forget(key.name());
            return Step.DONE;
        }
        if (claim.isDeleting()
                || claim.nodePool().isEmpty()
                || !view.isManaged(claim.spec().nodeClassRef())) {
            return Step.DONE;
        }
        var pool = view.pool(claim.nodePool());
        return pool == null ? Step.DONE : judged(new Case(view, claim, pool, now));
    }

    private Step judged(Case it) {
        if (!it.claim().conditions().isTrue(ClaimObject.LAUNCHED)) {
            return written(it, "", null);
        }
        var known = memory.judgement(it.name());
        if (known != null
                && known.facts().equals(it.facts())
                && it.now().isBefore(known.at().plus(DRIFT_PERIOD))) {
            return marked(
                    it, known.reason(), Duration.between(it.now(), known.at().plus(DRIFT_PERIOD)));
        }
        var fromPool = drift.fromPool(it.claim(), it.pool());
        return fromPool == null ? typeChecked(it) : found(it, fromPool);
    }

    private Step typeChecked(Case it) {
        if (!isTypeDue(it)) {
            return asked(it);
        }
        return switch (catalogs.of(it.pool().pool())) {
            case CatalogAnswer.Failed(var message) ->
                    kept(it).thenFailed(
                                    "NodeClaim %s: instance types of NodePool %s cannot be told, %s"
                                            .formatted(
                                                    it.name(), it.pool().name().name(), message));
            case CatalogAnswer.Unevaluated() -> asked(it);
            case CatalogAnswer.Types(var types) -> {
                if (!drift.isSold(it.claim(), types)) {
                    yield found(it, Drift.INSTANCE_TYPE);
                }
                memory.typeSeen(it.claim(), it.now());
                yield asked(it);
            }
        };
    }

    private boolean isTypeDue(Case it) {
        var isOld = !it.now().isBefore(it.claim().meta().createdAt().plus(TYPE_AGE_MIN));
        var seenAt = memory.typeSeenAt(it.claim());
        return isOld && (seenAt == null || !it.now().isBefore(seenAt.plus(TYPE_PERIOD)));
    }

    private Step asked(Case it) {
        return Step.of(
                new AutoscalerEffect.AskDrift(
                        MachineClaims.of(it.claim()),
                        answer ->
                                switch (answer) {
                                    case DriftAnswer.InPlace(), DriftAnswer.Gone() -> found(it, "");
                                    case DriftAnswer.Drifted(var reason) -> found(it, reason);
                                    case DriftAnswer.Failed(var message) ->
                                            kept(it).thenFailed(
                                                            "NodeClaim %s: drift cannot be told, %s"
                                                                    .formatted(it.name(), message));
                                }));
    }

    private Step found(Case it, String reason) {
        memory.judged(it.name(), new Judgement(it.facts(), reason, it.now()));
        return marked(it, reason, DRIFT_PERIOD);
    }

    /// A claim that is as it should be may still be too old; what else is wrong with it comes
    /// first.
    private Step marked(Case it, String reason, Duration again) {
        var expiration = SoftExpiration.of(it.claim(), it.pool(), it.now());
        return written(
                        it,
                        reason.isEmpty() && expiration.isNow() ? Drift.SOFT_EXPIRED : reason,
                        again)
                .thenAgain(expiration.left());
    }

    /// Of drift nothing is known now; the other condition is written all the same.
    private Step kept(Case it) {
        return consolidated(it, it.claim().conditions());
    }

    private Step written(Case it, String reason, @Nullable Duration again) {
        var conditions = it.claim().conditions();
        return consolidated(
                        it,
                        reason.isEmpty()
                                ? conditions.without(ClaimObject.DRIFTED)
                                : conditions.with(
                                        ClaimObject.DRIFTED,
                                        Condition.Status.TRUE,
                                        reason,
                                        reason,
                                        it.now()))
                .thenAgain(again);
    }

    private static Step consolidated(Case it, Conditions conditions) {
        if (it.pool().pool().isStatic()) {
            return Step.of(writes(it, conditions));
        }
        var state = Consolidatable.of(it.claim(), it.pool(), it.now());
        var all =
                state.isNow()
                        ? conditions.withTrue(ClaimObject.CONSOLIDATABLE, it.now())
                        : conditions.without(ClaimObject.CONSOLIDATABLE);
        return Step.of(writes(it, all)).thenAgain(state.left());
    }

    private static List<Effect> writes(Case it, Conditions conditions) {
        return ClaimChange.of(it.claim()).conditions(conditions).writes(it.view());
    }
}
