package dev.millwright.world.workload;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.Metadata;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.world.cluster.DirtyKeys;
import dev.millwright.world.cluster.Ledger;
import dev.millwright.world.cluster.PodFacts;
import dev.millwright.world.cluster.Reading;
import dev.millwright.world.cluster.Writes;
import dev.millwright.world.time.Agenda;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/// Rolls Deployments out through ReplicaSets, one for each revision of the template.
///
/// Left out of the real one: progress deadlines, and scaling in proportion while a rollout is under
/// way (the new revision gets what changes).
final class Deployments {

    private static final ResourceType TYPE = ResourceType.DEPLOYMENT;
    private static final ResourceType SET = ResourceType.REPLICA_SET;
    static final String HASH = "pod-template-hash";
    private static final String REVISION = "deployment.kubernetes.io/revision";
    private static final int HISTORY_DEFAULT = 10;

    private final Ledger ledger;
    private final Writes writes;
    private final DirtyKeys<ObjectName> dirty;
    private final Map<String, TreeSet<ObjectName>> setsByOwner = new HashMap<>();

    Deployments(Ledger ledger, Agenda agenda, WorkloadSettings settings) {
        this.ledger = ledger;
        this.writes = new Writes(ledger.store(), "deployment-controller");
        this.dirty = new DirtyKeys<>(agenda, settings.latency(), this::sync);
        ledger.watch(TYPE, (name, before, after) -> changed(name, before, after));
        ledger.watch(SET, this::setChanged);
        ledger.watchPods(this::podChanged);
    }

    private void changed(
            ObjectName name, Value.@Nullable Mapping before, Value.@Nullable Mapping after) {
        if (after != null && (before == null || !Reading.isUntouched(before, after, "spec"))) {
            dirty.mark(name);
        }
    }

    private void setChanged(
            ObjectName name, Value.@Nullable Mapping before, Value.@Nullable Mapping after) {
        var set = after == null ? before : after;
        var owner = PodFacts.controller(Reading.mapping(set, "metadata"));
        if (owner == null || !owner.kind().equals(TYPE.kind())) {
            return;
        }
        var sets = setsByOwner.computeIfAbsent(owner.uid(), _ -> new TreeSet<>());
        if (after == null) {
            sets.remove(name);
        } else {
            sets.add(name);
        }
        dirty.mark(new ObjectName(name.namespace(), owner.name()));
    }

    /// Only a Deployment that waits for its old pods to be gone cares for single pods.
    private void podChanged(@Nullable PodFacts before, @Nullable PodFacts after) {
        if (after != null || before == null || before.controller() == null) {
            return;
        }
        var set =
                ledger.store()
                        .find(
                                SET,
                                new ObjectName(
                                        before.name().namespace(), before.controller().name()));
        var owner = set == null ? null : PodFacts.controller(Reading.mapping(set, "metadata"));
        if (owner != null && owner.kind().equals(TYPE.kind())) {
            dirty.mark(new ObjectName(before.name().namespace(), owner.name()));
        }
    }

    /// A ReplicaSet of the Deployment at this moment.
    private record Revision(
            ObjectName name, Value.Mapping object, String uid, int wanted, int available) {

        static Revision of(Value.Mapping object) {
            return new Revision(
                    Metadata.of(object).name(),
                    object,
                    Reading.text(object, "metadata", "uid"),
                    Reading.number(1, object, "spec", "replicas"),
                    Reading.number(0, object, "status", "availableReplicas"));
        }

        int number() {
            var text = Reading.text(object, "metadata", "annotations", REVISION);
            return text.isEmpty() ? 0 : Integer.parseInt(text);
        }
    }

    private void sync(ObjectName name) {
        var deployment = ledger.store().find(TYPE, name);
        if (deployment == null || Reading.at(deployment, "metadata", "deletionTimestamp") != null) {
            return;
        }
        var hash = PodTemplates.hash(Reading.mapping(deployment, "spec", "template"));
        var revisions = revisions(deployment);
        var current =
                revisions.stream().filter(set -> hash.equals(label(set))).findFirst().orElse(null);
        var old = revisions.stream().filter(set -> !set.equals(current)).toList();
        if (current != null) {
            renumber(current, old);
        }
        var isPaused = Reading.isTrue(deployment, "spec", "paused");
        var isRecreate = Reading.text(deployment, "spec", "strategy", "type").equals("Recreate");
        if (isPaused) {
            scalePaused(deployment, current, old);
        } else if (isRecreate) {
            recreate(deployment, hash, current, old);
        } else {
            roll(deployment, hash, current, old);
        }
        if (!isPaused) {
            forgetOldest(deployment, old);
        }
        writeStatus(name, hash);
    }

    /// Going back to an old template makes its set the newest revision.
    private void renumber(Revision current, List<Revision> old) {
        var newest = old.stream().mapToInt(Revision::number).max().orElse(0);
        if (current.number() <= newest) {
            writes.patch(
                    SET,
                    current.name(),
                    Tree.of(
                            "metadata",
                            Tree.of(
                                    "annotations",
                                    Tree.of(REVISION, Integer.toString(newest + 1)))));
        }
    }

    private static String label(Revision set) {
        return Reading.text(set.object(), "metadata", "labels", HASH);
    }

    private List<Revision> revisions(Value.Mapping deployment) {
        var names =
                setsByOwner.getOrDefault(
                        Reading.text(deployment, "metadata", "uid"), new TreeSet<>());
        var revisions = new ArrayList<Revision>();
        for (var name : names) {
            var set = ledger.store().find(SET, name);
            if (set != null && Reading.at(set, "metadata", "deletionTimestamp") == null) {
                revisions.add(Revision.of(set));
            }
        }
        revisions.sort(Comparator.comparingInt(Revision::number).thenComparing(Revision::name));
        return revisions;
    }

    private static int replicas(Value.Mapping deployment) {
        return Reading.number(1, deployment, "spec", "replicas");
    }

    private void scalePaused(
            Value.Mapping deployment, @Nullable Revision current, List<Revision> old) {
        var active = old.stream().filter(set -> set.wanted() > 0).toList();
        if (current != null && active.isEmpty()) {
            scale(current, replicas(deployment));
        } else if (current == null && active.size() == 1) {
            scale(active.getFirst(), replicas(deployment));
        }
    }

    private void recreate(
            Value.Mapping deployment, String hash, @Nullable Revision current, List<Revision> old) {
        old.forEach(set -> scale(set, 0));
        var areGone =
                old.stream()
                        .allMatch(
                                set ->
                                        ledger.podsOf(set.uid()).stream()
                                                .allMatch(PodFacts::isTerminal));
        if (!areGone) {
            return;
        }
        if (current == null) {
            create(deployment, hash, replicas(deployment), old);
        } else {
            scale(current, replicas(deployment));
        }
    }

    private void roll(
            Value.Mapping deployment, String hash, @Nullable Revision current, List<Revision> old) {
        var wanted = replicas(deployment);
        var rolling = Reading.mapping(deployment, "spec", "strategy", "rollingUpdate");
        var surge = share(rolling, "maxSurge", wanted, true);
        var unavailable = share(rolling, "maxUnavailable", wanted, false);
        if (surge == 0 && unavailable == 0) {
            unavailable = 1;
        }
        var oldWanted = old.stream().mapToInt(Revision::wanted).sum();
        var has = current == null ? 0 : current.wanted();
        var room = wanted + surge - oldWanted - has;
        var next = has > wanted ? wanted : has + Math.max(0, Math.min(room, wanted - has));
        if (current == null) {
            create(deployment, hash, next, old);
        } else if (next != has) {
            scale(current, next);
        }
        if (oldWanted > 0) {
            var available = current == null ? 0 : Math.min(current.available(), next);
            scaleDown(old, wanted - Math.min(unavailable, wanted), next, available);
        }
    }

    private static int share(Value.Mapping rolling, String field, int whole, boolean isUp) {
        var text = Reading.numberOrText(rolling, field);
        var stated = text == null ? "25%" : text;
        return isUp ? Share.roundedUp(stated, whole) : Share.roundedDown(stated, whole);
    }

    /// First those of the old that are no use anyway, then as many as the available ones allow.
    private void scaleDown(List<Revision> old, int availableMin, int newWanted, int newAvailable) {
        var all = newWanted + old.stream().mapToInt(Revision::wanted).sum();
        var budget = all - availableMin - (newWanted - newAvailable);
        var targets = new TreeMap<ObjectName, Integer>();
        for (var set : old) {
            var cut =
                    Math.max(
                            0,
                            Math.min(
                                    budget,
                                    set.wanted() - Math.min(set.wanted(), set.available())));
            targets.put(set.name(), set.wanted() - cut);
            budget -= cut;
        }
        var available =
                newAvailable
                        + old.stream()
                                .mapToInt(set -> Math.min(set.wanted(), set.available()))
                                .sum();
        var spare = available - availableMin;
        for (var set : old) {
            var left = targets.getOrDefault(set.name(), set.wanted());
            var cut = Math.max(0, Math.min(spare, left));
            spare -= cut;
            scale(set, left - cut);
        }
    }

    private void scale(Revision set, int replicas) {
        if (set.wanted() != replicas) {
            writes.patch(SET, set.name(), Tree.of("spec", Tree.of().put("replicas", replicas)));
        }
    }

    private void create(Value.Mapping deployment, String hash, int replicas, List<Revision> old) {
        var name = Metadata.of(deployment).name();
        var template = Reading.mapping(deployment, "spec", "template");
        var labels = new TreeMap<>(Reading.texts(template, "metadata", "labels"));
        labels.put(HASH, hash);
        var selector = Reading.mapping(deployment, "spec", "selector");
        var matchLabels = new TreeMap<>(Reading.texts(selector, "matchLabels"));
        matchLabels.put(HASH, hash);
        var metadata = changed(Reading.mapping(template, "metadata"), "labels", labels);
        var templateTree = Tree.of();
        template.fields().forEach(templateTree::put);
        var selectorTree = changed(selector, "matchLabels", matchLabels);
        var number = old.stream().mapToInt(Revision::number).max().orElse(0) + 1;
        var spec =
                Tree.of()
                        .put("replicas", replicas)
                        .put("selector", selectorTree)
                        .put("template", templateTree.put("metadata", metadata));
        var minReady = Reading.at(deployment, "spec", "minReadySeconds");
        if (minReady != null) {
            spec.put("minReadySeconds", minReady);
        }
        writes.create(
                SET,
                name.namespace(),
                Tree.of("apiVersion", SET.apiVersion())
                        .put("kind", SET.kind())
                        .put(
                                "metadata",
                                Tree.of("name", name.name() + "-" + hash)
                                        .putTexts("labels", labels)
                                        .put(
                                                "annotations",
                                                Tree.of(REVISION, Integer.toString(number)))
                                        .putList(
                                                "ownerReferences",
                                                List.of(PodTemplates.owner(TYPE, deployment))))
                        .put("spec", spec));
    }

    private static Tree changed(Value.Mapping from, String field, Map<String, String> texts) {
        var tree = Tree.of();
        from.fields().forEach(tree::put);
        return tree.putTexts(field, texts);
    }

    /// Old revisions are kept for going back, up to a limit.
    private void forgetOldest(Value.Mapping deployment, List<Revision> old) {
        var limit = Reading.number(HISTORY_DEFAULT, deployment, "spec", "revisionHistoryLimit");
        var idle =
                old.stream()
                        .filter(set -> set.wanted() == 0)
                        .filter(set -> Reading.number(0, set.object(), "status", "replicas") == 0)
                        .toList();
        for (var set : idle.subList(0, Math.max(0, idle.size() - limit))) {
            writes.delete(SET, set.name(), set.uid());
        }
    }

    private void writeStatus(ObjectName name, String hash) {
        var deployment = ledger.store().find(TYPE, name);
        if (deployment == null) {
            return;
        }
        var replicas = 0;
        var updated = 0;
        var ready = 0;
        var available = 0;
        for (var set : revisions(deployment)) {
            var status = Reading.mapping(set.object(), "status");
            var count = Reading.number(0, status, "replicas");
            replicas += count;
            updated += hash.equals(label(set)) ? count : 0;
            ready += Reading.number(0, status, "readyReplicas");
            available += set.available();
        }
        var generation = Reading.number(0, deployment, "metadata", "generation");
        var status = Reading.mapping(deployment, "status");
        if (Reading.number(0, status, "replicas") == replicas
                && Reading.number(0, status, "updatedReplicas") == updated
                && Reading.number(0, status, "readyReplicas") == ready
                && Reading.number(0, status, "availableReplicas") == available
                && Reading.number(0, status, "observedGeneration") == generation) {
            return;
        }
        writes.status(
                TYPE,
                name,
                Tree.of()
                        .put("observedGeneration", generation)
                        .put("replicas", replicas)
                        .put("updatedReplicas", updated)
                        .put("readyReplicas", ready)
                        .put("availableReplicas", available)
                        .put(
                                "unavailableReplicas",
                                Math.max(0, Math.max(replicas, replicas(deployment)) - available)));
    }
}
