package dev.millwright.world.workload;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.world.cluster.DirtyKeys;
import dev.millwright.world.cluster.Ledger;
import dev.millwright.world.cluster.NodeFacts;
import dev.millwright.world.cluster.PodFacts;
import dev.millwright.world.cluster.Reading;
import dev.millwright.world.cluster.Writes;
import dev.millwright.world.time.Agenda;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Keeps one pod of each DaemonSet on every node that it is for.
///
/// Left out of the real one: surge in updates.
final class DaemonSets {

    private static final ResourceType TYPE = ResourceType.DAEMON_SET;
    private static final String REVISION = "controller-revision-hash";
    private static final Duration STATUS_PAUSE = Duration.ofSeconds(1);
    private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";

    /// One set on one node.
    private record Post(ObjectName set, String node) {}

    private final Ledger ledger;
    private final Writes writes;
    private final DirtyKeys<Post> posts;
    private final DirtyKeys<ObjectName> statuses;
    private final TreeMap<ObjectName, String> revisions = new TreeMap<>();

    /// Where each pod was made for, before it is bound: by set and node.
    private final Map<String, TreeMap<String, TreeMap<ObjectName, PodFacts>>> podsByPost =
            new TreeMap<>();

    DaemonSets(Ledger ledger, Agenda agenda, WorkloadSettings settings) {
        this.ledger = ledger;
        this.writes = new Writes(ledger.store(), "daemonset-controller");
        this.posts = new DirtyKeys<>(agenda, settings.latency(), this::sync);
        this.statuses = new DirtyKeys<>(agenda, STATUS_PAUSE, this::writeStatus);
        ledger.watchPods(this::podChanged);
        ledger.watch(TYPE, this::changed);
        ledger.watchNodes(this::nodeChanged);
    }

    private void changed(
            ObjectName name, Value.@Nullable Mapping before, Value.@Nullable Mapping after) {
        if (after == null) {
            revisions.remove(name);
            return;
        }
        if (before == null || !Reading.isUntouched(before, after, "spec")) {
            revisions.put(name, PodTemplates.hash(Reading.mapping(after, "spec", "template")));
            ledger.nodes().forEach(node -> posts.mark(new Post(name, node.name())));
            statuses.mark(name);
        }
    }

    private void nodeChanged(@Nullable NodeFacts before, @Nullable NodeFacts after) {
        var node = after == null ? before : after;
        if (node != null
                && (before == null
                        || after == null
                        || !before.labels().equals(after.labels())
                        || !before.taints().equals(after.taints()))) {
            for (var set : revisions.keySet()) {
                posts.mark(new Post(set, node.name()));
                statuses.mark(set);
            }
        }
    }

    private void podChanged(@Nullable PodFacts before, @Nullable PodFacts after) {
        var pod = after == null ? before : after;
        var owner = pod == null ? null : pod.controller();
        if (pod == null || owner == null || !owner.kind().equals(TYPE.kind())) {
            return;
        }
        var node = target(pod);
        var here =
                podsByPost
                        .computeIfAbsent(owner.uid(), _ -> new TreeMap<>())
                        .computeIfAbsent(node, _ -> new TreeMap<>());
        if (after == null) {
            here.remove(pod.name());
        } else {
            here.put(pod.name(), after);
        }
        var set = new ObjectName(pod.name().namespace(), owner.name());
        if (before == null
                || after == null
                || before.isActive() != after.isActive()
                || before.isReady() != after.isReady()) {
            posts.mark(new Post(set, node));
            statuses.mark(set);
        }
    }

    /// The node a daemon's pod is bound to, or the one it names.
    private static String target(PodFacts pod) {
        if (pod.isBound()) {
            return pod.nodeName();
        }
        var required = Reading.mapping(pod.object(), "spec", "affinity", "nodeAffinity", REQUIRED);
        for (var term : Reading.list(required, "nodeSelectorTerms")) {
            for (var field : Reading.list(term, "matchFields")) {
                var values = Reading.textList(field, "values");
                if (!values.isEmpty()) {
                    return values.getFirst();
                }
            }
        }
        return "";
    }

    private List<PodFacts> podsOf(String uid, String node) {
        var byNode = podsByPost.get(uid);
        var found = byNode == null ? null : byNode.get(node);
        return found == null ? List.of() : List.copyOf(found.values());
    }

    private void sync(Post post) {
        var set = ledger.store().find(TYPE, post.set());
        if (set == null || Reading.at(set, "metadata", "deletionTimestamp") != null) {
            return;
        }
        var uid = Reading.text(set, "metadata", "uid");
        var pods = podsOf(uid, post.node());
        var node = ledger.node(post.node());
        if (node == null) {
            pods.stream().filter(pod -> !pod.isBound()).forEach(this::delete);
            return;
        }
        var template = Reading.mapping(set, "spec", "template");
        var verdict = NodeEligibility.of(Reading.mapping(template, "spec"), node);
        var ended = pods.stream().filter(pod -> pod.isTerminal() && !pod.isDeleting()).toList();
        ended.forEach(this::delete);
        var active = pods.stream().filter(PodFacts::isActive).toList();
        if (!verdict.mayStay()) {
            active.forEach(this::delete);
        } else if (active.size() > 1) {
            active.subList(1, active.size()).forEach(this::delete);
        } else if (verdict.shouldRun() && pods.stream().allMatch(ended::contains)) {
            create(post, set, template);
        } else if (active.size() == 1) {
            update(post, set, uid, active.getFirst());
        }
    }

    private void delete(PodFacts pod) {
        writes.delete(ResourceType.POD, pod.name(), pod.uid());
    }

    private void create(Post post, Value.Mapping set, Value.Mapping template) {
        var metadata =
                PodTemplates.metadata(
                                TYPE,
                                set,
                                template,
                                Map.of(REVISION, revisions.getOrDefault(post.set(), "")))
                        .put("generateName", post.set().name() + "-");
        var from = Reading.mapping(template, "spec");
        var spec = Tree.of();
        from.fields().forEach(spec::put);
        spec.putList("tolerations", NodeEligibility.tolerations(from));
        spec.put("affinity", pinned(from, post.node()));
        writes.create(
                ResourceType.POD,
                post.set().namespace(),
                PodTemplates.pod(metadata, spec.mapping()));
    }

    /// The affinity of the template, and of all nodes only this one.
    private static Tree pinned(Value.Mapping spec, String node) {
        var field =
                Tree.of("key", "metadata.name")
                        .put("operator", "In")
                        .putTextList("values", List.of(node))
                        .mapping();
        var term = Tree.of().putList("matchFields", List.of(field)).mapping();
        var affinity = Tree.of();
        Reading.mapping(spec, "affinity").fields().forEach(affinity::put);
        var nodeAffinity = Tree.of();
        Reading.mapping(spec, "affinity", "nodeAffinity").fields().forEach(nodeAffinity::put);
        var terms = new ArrayList<Value>();
        for (var old :
                Reading.list(spec, "affinity", "nodeAffinity", REQUIRED, "nodeSelectorTerms")) {
            var both = Tree.of();
            Reading.mapping(old).fields().forEach(both::put);
            terms.add(both.putList("matchFields", List.of(field)).mapping());
        }
        return affinity.put(
                "nodeAffinity",
                nodeAffinity.put(
                        REQUIRED,
                        Tree.of()
                                .putList(
                                        "nodeSelectorTerms",
                                        terms.isEmpty() ? List.of(term) : terms)));
    }

    /// An outdated pod goes when few enough of the others are away.
    private void update(Post post, Value.Mapping set, String uid, PodFacts pod) {
        var revision = revisions.getOrDefault(post.set(), "");
        if (revision.equals(pod.labels().get(REVISION))
                || Reading.text(set, "spec", "updateStrategy", "type").equals("OnDelete")) {
            return;
        }
        var all = ledger.podsOf(uid).stream().filter(PodFacts::isActive).toList();
        var stated =
                Reading.numberOrText(
                        set, "spec", "updateStrategy", "rollingUpdate", "maxUnavailable");
        var away =
                Reading.number(0, set, "status", "desiredNumberScheduled")
                        - all.stream().filter(PodFacts::isReady).count();
        if (!pod.isReady() || away < Share.roundedUp(stated == null ? "1" : stated, all.size())) {
            delete(pod);
        } else {
            posts.markAfter(post, STATUS_PAUSE.multipliedBy(5));
        }
    }

    private void writeStatus(ObjectName name) {
        var set = ledger.store().find(TYPE, name);
        if (set == null) {
            return;
        }
        var uid = Reading.text(set, "metadata", "uid");
        var spec = Reading.mapping(set, "spec", "template", "spec");
        var revision = revisions.getOrDefault(name, "");
        var counts = new int[4];
        for (var node : ledger.nodes()) {
            var verdict = NodeEligibility.of(spec, node);
            var pod = podsOf(uid, node.name()).stream().filter(PodFacts::isActive).findFirst();
            if (!verdict.shouldRun()) {
                continue;
            }
            counts[0]++;
            if (pod.isPresent()) {
                counts[1]++;
                counts[2] += pod.get().isReady() ? 1 : 0;
                counts[3] += revision.equals(pod.get().labels().get(REVISION)) ? 1 : 0;
            }
        }
        var generation = Reading.number(0, set, "metadata", "generation");
        var status = Reading.mapping(set, "status");
        if (Reading.number(-1, status, "desiredNumberScheduled") == counts[0]
                && Reading.number(-1, status, "currentNumberScheduled") == counts[1]
                && Reading.number(-1, status, "numberReady") == counts[2]
                && Reading.number(0, status, "updatedNumberScheduled") == counts[3]
                && Reading.number(0, status, "observedGeneration") == generation) {
            return;
        }
        writes.status(
                TYPE,
                name,
                Tree.of()
                        .put("desiredNumberScheduled", counts[0])
                        .put("currentNumberScheduled", counts[1])
                        .put("numberMisscheduled", 0)
                        .put("numberReady", counts[2])
                        .put("numberAvailable", counts[2])
                        .put("numberUnavailable", counts[0] - counts[2])
                        .put("updatedNumberScheduled", counts[3])
                        .put("observedGeneration", generation));
    }
}
