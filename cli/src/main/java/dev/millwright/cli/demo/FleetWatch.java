package dev.millwright.cli.demo;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.cluster.PodState.Phase;
import dev.millwright.core.deliberation.Deliberation;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.dashboard.ledger.FleetLedger;
import dev.millwright.dashboard.ledger.LedgerAnswers;
import dev.millwright.dashboard.picture.Answers;
import dev.millwright.dashboard.picture.Picture.Kind;
import dev.millwright.dashboard.picture.Picture.Upcoming;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.event.KubeEvent;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.spi.Machine;
import dev.millwright.world.happening.Happening;
import dev.millwright.world.happening.Witness;
import dev.millwright.world.invariant.Prices;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;

/// Watches a world and keeps what a picture shows: objects, machines, why pods wait, and the story
/// in words.
final class FleetWatch implements Witness {

    /// How a message says where a pod is to land.
    private static final String NOMINATION = "Pod should schedule on: ";

    /// Events on a claim that say why it stays.
    private static final Set<String> KEPT = Set.of("DisruptionBlocked", "Unconsolidatable");

    private final Stage stage;
    private final Story story;
    private final Prices prices;
    private final SequencedMap<String, Machine> machines = new LinkedHashMap<>();
    private final Map<String, Instant> notices = new HashMap<>();
    private final Map<ObjectName, String> reasons = new HashMap<>();
    private final Map<ObjectName, String> kept = new HashMap<>();
    private final Map<ObjectName, String> targets = new HashMap<>();
    private final Set<String> running = new HashSet<>();
    private final FleetLedger ledger = new FleetLedger("demo");
    private final LedgerAnswers answers = new LedgerAnswers();

    FleetWatch(Stage stage, Story story, Prices prices) {
        this.stage = stage;
        this.story = story;
        this.prices = prices;
    }

    @Override
    public void saw(Happening happening) {
        switch (happening) {
            case Happening.Changed changed -> changed(changed);
            case Happening.Started(var at, var machine, var claim) ->
                    started(at, machine, claim.name());
            case Happening.Noticed(var at, var id, var endsAt) -> noticed(at, id, endsAt);
            case Happening.Stopped(var at, var id, var cause) -> stopped(at, id, cause);
            case Happening.Evicted(_, _, _, _, var answer) -> {
                if (answer instanceof ApiAnswer.Done) {
                    story.evicted();
                }
            }
            case Happening.Asked asked -> asked(asked);
            case Happening.Published(_, _, var event) -> published(event);
            case Happening.Struck(var at, var fault, var what) ->
                    tell(at, Kind.FAILURE, fault + ": " + what);
            case Happening.Decided(_, _, var deliberation) -> decided(deliberation);
            case Happening.Led _, Happening.Acted _, Happening.Said _ -> {
                // Of the operator's inner life, which no picture shows.
            }
        }
    }

    /// With what was decided last of that kind, for who asks.
    void tell(Instant at, Kind kind, String text) {
        var isDecided = kind == Kind.LAUNCH || kind == Kind.REMOVE;
        story.tell(at, kind, text, isDecided ? ledger.latest(kind) : null);
    }

    private void changed(Happening.Changed change) {
        stage.saw(change);
        if (change.type().equals(ResourceType.POD)) {
            podChanged(change);
        } else if (change.type().equals(ResourceType.NODE_CLAIM)) {
            claimChanged(change);
        }
    }

    /// A claim that begins to go says why; what the cloud takes back was told with its notice.
    private void claimChanged(Happening.Changed change) {
        if (change.before() != null && change.after() == null) {
            kept.remove(stage.reader().claim(change.before()).name());
        }
        if (change.before() == null || change.after() == null) {
            return;
        }
        var claim = stage.reader().claim(change.after());
        if (claim.isDeleting()
                && !stage.reader().claim(change.before()).isDeleting()
                && !notices.containsKey(claim.providerId())) {
            var reason = claim.conditions().find(ClaimObject.DISRUPTION_REASON);
            tell(
                    change.at(),
                    Kind.REMOVE,
                    "%s shall go%s"
                            .formatted(
                                    named(claim.providerId()),
                                    reason == null
                                            ? ""
                                            : ": " + reason.reason().toLowerCase(Locale.ROOT)));
        }
    }

    private void podChanged(Happening.Changed change) {
        var object = change.after() == null ? change.before() : change.after();
        if (object == null) {
            return;
        }
        var pod = stage.reader().pod(object);
        if (change.after() == null || !pod.nodeName().isEmpty()) {
            reasons.remove(pod.name());
            targets.remove(pod.name());
        }
        if (change.after() == null) {
            running.remove(pod.meta().uid());
        } else if (pod.pod().state().phase() == Phase.RUNNING
                && !Owners.isDaemon(pod.pod())
                && running.add(pod.meta().uid())) {
            story.podRuns();
        }
    }

    private void started(Instant at, Machine machine, String claim) {
        machines.put(machine.providerId(), machine);
        story.launched();
        tell(
                at,
                Kind.LAUNCH,
                "%s (%s) launched in %s, $%.4f an hour"
                        .formatted(
                                words(machine),
                                claim,
                                machine.labels().getOrDefault(LabelKeys.ZONE, "?"),
                                prices.perHour(machine.labels())));
    }

    private void noticed(Instant at, String providerId, Instant endsAt) {
        notices.put(providerId, endsAt);
        story.interrupted();
        tell(
                at,
                Kind.INTERRUPT,
                "the cloud takes back %s in %d s"
                        .formatted(named(providerId), Duration.between(at, endsAt).toSeconds()));
    }

    private void stopped(Instant at, String providerId, String cause) {
        story.terminated();
        var machine = machines.get(providerId);
        var price = machine == null ? 0 : prices.perHour(machine.labels());
        tell(
                at,
                cause.equals("CRASHED") ? Kind.FAILURE : Kind.REMOVE,
                "%s %s, $%.4f an hour less".formatted(named(providerId), end(cause), price));
        machines.remove(providerId);
        notices.remove(providerId);
    }

    private static String end(String cause) {
        return switch (cause) {
            case "INTERRUPTED" -> "was taken back";
            case "CRASHED" -> "died";
            default -> "is gone";
        };
    }

    private void decided(Deliberation deliberation) {
        ledger.hear(deliberation);
        answers.hear(ledger.problem(), ledger.standing(), this::entry);
    }

    private Answers.@Nullable Reply entry(long number) {
        var answer = story.answer(number);
        return answer == null ? null : new Answers.Reply.Known(answer);
    }

    /// What is about to go, by the names of claims, as a picture of the demo has its nodes.
    List<Upcoming> upcoming() {
        var claims = new HashMap<String, String>();
        for (var claim : stage.claims().values()) {
            var node = stage.nodeOf(claim);
            if (node != null) {
                claims.put(node.name().name(), claim.name().name());
            }
        }
        return ledger.upcoming().stream()
                .filter(each -> each.nodes().stream().anyMatch(claims::containsKey))
                .map(
                        each ->
                                new Upcoming(
                                        each.nodes().stream()
                                                .filter(claims::containsKey)
                                                .map(claims::get)
                                                .toList(),
                                        each.reason(),
                                        each.text(),
                                        each.savedPerHour(),
                                        each.stage()))
                .toList();
    }

    Answers answers() {
        return answers;
    }

    private void asked(Happening.Asked asked) {
        if (asked.call().equals("launch") && !asked.answer().startsWith("launched")) {
            tell(
                    asked.at(),
                    Kind.FAILURE,
                    "%s could not be launched: %s".formatted(asked.claim(), asked.answer()));
        }
    }

    private void published(KubeEvent event) {
        if (event.subject().kind().equals("NodeClaim") && KEPT.contains(event.reason())) {
            kept.put(event.subject().name(), event.message());
            return;
        }
        if (!event.subject().kind().equals("Pod")) {
            return;
        }
        var pod = event.subject().name();
        if (event.message().startsWith(NOMINATION)) {
            var where = event.message().substring(NOMINATION.length());
            reasons.remove(pod);
            targets.put(pod, where.substring(where.indexOf('/') + 1));
        } else if (event.reason().equals("FailedScheduling")) {
            targets.remove(pod);
            reasons.put(pod, event.message());
        }
    }

    private String named(String providerId) {
        var machine = machines.get(providerId);
        var claim = stage.claimOf(providerId);
        return "%s%s"
                .formatted(
                        machine == null ? "a machine" : words(machine),
                        claim == null ? "" : " (" + claim.name().name() + ")");
    }

    private static String words(Machine machine) {
        return "%s %s"
                .formatted(
                        machine.labels().getOrDefault(LabelKeys.CAPACITY_TYPE, ""),
                        machine.labels().getOrDefault(LabelKeys.INSTANCE_TYPE, "?"));
    }

    /// What runs and costs money, known to the cluster or not.
    double pricePerHour() {
        return machines.values().stream().mapToDouble(each -> prices.perHour(each.labels())).sum();
    }

    @Nullable Instant endsAt(String providerId) {
        return notices.get(providerId);
    }

    /// Why the operator last said that it leaves the claim alone; empty when it said nothing.
    String kept(ObjectName claim) {
        return kept.getOrDefault(claim, "");
    }

    @Nullable Machine machine(String providerId) {
        return machines.get(providerId);
    }

    /// Why the pod has no node, in words. The operator tells of few of the pods it found a place
    /// for, so that while nodes are on their way silence means one of them.
    String reason(ObjectName pod) {
        var known = reasons.get(pod);
        if (known != null) {
            return known;
        }
        var target = targets.get(pod);
        var claim = target == null ? null : stage.claims().get(new ObjectName("", target));
        if (claim != null) {
            return claim.providerId().isEmpty()
                    ? "its node is being launched"
                    : "its node is starting";
        }
        if (target != null) {
            return "a node has room for it";
        }
        return stage.claims().values().stream().anyMatch(this::isComing)
                ? "a node is on its way"
                : "it has just come; nothing is decided yet";
    }

    private boolean isComing(ClaimObject claim) {
        var node = stage.nodeOf(claim);
        return !claim.isDeleting() && (node == null || !node.isInitialized());
    }

    Stage stage() {
        return stage;
    }

    Story story() {
        return story;
    }

    Prices prices() {
        return prices;
    }
}
