package dev.millwright.controllers.nodeoverlay;

import dev.millwright.controllers.provisioning.Catalogs;
import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.label.LabelVocabulary;
import dev.millwright.core.policy.NodeOverlay;
import dev.millwright.core.policy.NodePool;
import dev.millwright.core.policy.OverlayEvaluation;
import dev.millwright.core.policy.OverlayEvaluation.Outcome;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.event.KubeEvent;
import dev.millwright.kube.object.Condition.Status;
import dev.millwright.kube.object.Conditions;
import dev.millwright.kube.object.KubeObject;
import dev.millwright.kube.object.NodeClassObject;
import dev.millwright.kube.object.OverlayObject;
import dev.millwright.kube.object.PoolObject;
import dev.millwright.runtime.step.Answers;
import dev.millwright.runtime.step.Controller;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Pace;
import dev.millwright.runtime.step.Step;
import dev.millwright.spi.CatalogAnswer;
import dev.millwright.spi.OverlayStore;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;

/// Tries all overlays on what all pools can buy, says of each whether it holds, and hands those
/// that do to the store.
///
/// It asks the cloud without overlays. A pool whose types cannot be told is left out and asked for
/// again; the others do not wait for it.
public final class OverlayController implements Controller {

    private static final Duration RECHECK = Duration.ofHours(6);
    private static final String FAILED = "NodeOverlayValidationFailed";

    private final List<Kind<NodeClassObject>> classKinds;
    private final Catalogs plain;
    private final LabelVocabulary vocabulary;
    private final OverlayStore store;
    private final Runnable changed;

    /// `changed` hears of each round: prices may be others now.
    public OverlayController(
            List<Kind<NodeClassObject>> classKinds,
            Catalogs plain,
            LabelVocabulary vocabulary,
            OverlayStore store,
            Runnable changed) {
        this.classKinds = List.copyOf(classKinds);
        this.plain = plain;
        this.vocabulary = vocabulary;
        this.store = store;
        this.changed = changed;
    }

    @Override
    public String name() {
        return "nodeoverlay.controller";
    }

    @Override
    public List<Watch<?>> watches() {
        var watches = new ArrayList<Watch<?>>();
        watches.add(onChange(Kind.NODE_OVERLAY));
        watches.add(onChange(Kind.NODE_POOL));
        classKinds.forEach(kind -> watches.add(onChange(kind)));
        return List.copyOf(watches);
    }

    /// A status that changes is no change here: it would call us by our own writes.
    private static <T extends KubeObject> Watch<T> onChange(Kind<T> kind) {
        return new Watch<>(
                kind,
                (_, change) -> {
                    var before = change.before();
                    var after = change.after();
                    var isSame =
                            before != null
                                    && after != null
                                    && before.meta().generation() == after.meta().generation();
                    return isSame ? List.of() : List.of(SINGLETON);
                });
    }

    /// Without any overlay the pools have been evaluated, too.
    @Override
    public List<ObjectName> initialKeys() {
        return List.of(SINGLETON);
    }

    @Override
    public Pace pace() {
        return Pace.of(1);
    }

    @Override
    public Step step(View view, ObjectName key, Instant now) {
        var pools = managed(view);
        var catalogs = new TreeMap<String, List<InstanceType>>();
        var failures = catalogs(pools, catalogs);
        var overlays = List.copyOf(view.cache(Kind.NODE_OVERLAY).all());
        var outcomes = outcomes(overlays, pools, catalogs);
        var effects = new ArrayList<Effect>();
        for (var overlay : overlays) {
            var outcome = outcomes.get(overlay.overlay().name());
            if (outcome != null) {
                effects.addAll(told(overlay, outcome, now));
            }
        }
        var holding =
                overlays.stream()
                        .map(OverlayObject::overlay)
                        .filter(each -> outcomes.get(each.name()) instanceof Outcome.Applied)
                        .toList();
        effects.add(
                new Effect.Remember(
                        "overlays that hold",
                        () -> {
                            store.replace(holding, catalogs.sequencedKeySet());
                            changed.run();
                        }));
        return failures.isEmpty()
                ? Step.of(effects).thenAgain(RECHECK)
                : Step.of(effects).thenFailed(String.join("; ", failures));
    }

    private static List<NodePool> managed(View view) {
        return view.pools().stream()
                .map(PoolObject::pool)
                .filter(pool -> view.isManaged(pool.template().nodeClassRef()))
                .toList();
    }

    /// Fills in what can be told; returns what cannot.
    private List<String> catalogs(
            List<NodePool> pools, SequencedMap<String, List<InstanceType>> catalogs) {
        var failures = new ArrayList<String>();
        for (var pool : pools) {
            switch (plain.of(pool)) {
                case CatalogAnswer.Types(var types) -> catalogs.put(pool.name(), types);
                case CatalogAnswer.Unevaluated() ->
                        failures.add(
                                "NodePool %s: the cloud that overlays are tried on lays overlays itself; give the plain one"
                                        .formatted(pool.name()));
                case CatalogAnswer.Failed(var message) ->
                        failures.add(
                                "NodePool %s: its instance types are not to be had: %s"
                                        .formatted(pool.name(), message));
            }
        }
        return failures;
    }

    /// An overlay that could be read only in part would mean other machines than its owner meant:
    /// it is not tried.
    private SequencedMap<String, Outcome> outcomes(
            List<OverlayObject> overlays,
            List<NodePool> pools,
            SequencedMap<String, List<InstanceType>> catalogs) {
        var outcomes = new TreeMap<String, Outcome>();
        var readable = new ArrayList<NodeOverlay>();
        for (var overlay : overlays) {
            var faults =
                    overlay.faults().stream().filter(fault -> fault.startsWith("spec")).toList();
            if (faults.isEmpty()) {
                readable.add(overlay.overlay());
            } else {
                outcomes.put(overlay.overlay().name(), new Outcome.Invalid(faults));
            }
        }
        outcomes.putAll(
                OverlayEvaluation.evaluate(readable, pools, catalogs, vocabulary).outcomes());
        return outcomes;
    }

    private static List<Effect> told(OverlayObject overlay, Outcome outcome, Instant now) {
        var before = overlay.conditions();
        var after = after(before, outcome, now);
        if (after.equals(before)) {
            return List.of();
        }
        var effects = new ArrayList<Effect>();
        effects.add(new Effect.Write(patch(overlay, after), OverlayController::answered));
        if (!(outcome instanceof Outcome.Applied)) {
            effects.add(new Effect.Publish(event(overlay, outcome.explain())));
        }
        return effects;
    }

    private static Conditions after(Conditions before, Outcome outcome, Instant now) {
        var type = OverlayObject.VALIDATION_SUCCEEDED;
        return switch (outcome) {
            case Outcome.Applied(_) -> before.withTrue(type, now);
            case Outcome.Conflict(_, _) ->
                    before.with(type, Status.FALSE, "Conflict", outcome.explain(), now);
            case Outcome.Invalid(_) ->
                    before.with(type, Status.FALSE, "RuntimeValidation", outcome.explain(), now);
        };
    }

    /// An overlay that changed or went meanwhile may have been what others conflicted with: all are
    /// tried again.
    private static Step answered(ApiAnswer answer) {
        return answer.isNotFound() ? Step.RETRY : Answers.usual(answer);
    }

    private static ApiWrite patch(OverlayObject overlay, Conditions after) {
        return new ApiWrite.Patch(
                ResourceType.NODE_OVERLAY,
                overlay.name(),
                ApiWrite.PatchKind.MERGE,
                ApiWrite.Subresource.STATUS,
                Tree.of("metadata", overlay.meta().locked())
                        .put("status", Tree.of().put("conditions", after.value()))
                        .mapping());
    }

    private static KubeEvent event(OverlayObject overlay, String message) {
        return KubeEvent.warning(
                        KubeEvent.Subject.of(ResourceType.NODE_OVERLAY, overlay),
                        FAILED,
                        "NodeOverlay %s: %s".formatted(overlay.overlay().name(), message))
                .dedupedBy(List.of(overlay.meta().uid(), message), KubeEvent.DEDUPE_DEFAULT);
    }
}
