package dev.millwright.kube.cache;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.label.LabelVocabulary;
import dev.millwright.core.policy.NodePool.NodeClassRef;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.object.AttachmentObject;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.kube.object.KubeObject;
import dev.millwright.kube.object.NodeClassObject;
import dev.millwright.kube.object.NodeObject;
import dev.millwright.kube.object.ObjectReader;
import dev.millwright.kube.object.PodObject;
import dev.millwright.kube.object.PoolObject;

import org.jspecify.annotations.Nullable;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The cluster as a step sees it: every kind's cache, and the questions steps ask most.
public final class View {

    private final Reading reading;
    private final Map<Kind<?>, ObjectCache<?>> caches = new LinkedHashMap<>();
    private final List<Kind<NodeClassObject>> classKinds;
    private final ObjectCache.Index<PodObject> podsByNode;
    private final ObjectCache.Index<NodeObject> nodesByProviderId;
    private final ObjectCache.Index<ClaimObject> claimsByProviderId;
    private final ObjectCache.Index<AttachmentObject> attachmentsByNode;

    /// With an empty cache for each of the kinds; those every view needs are there without being
    /// named.
    public View(
            ObjectReader reader,
            List<Kind<? extends KubeObject>> kinds,
            List<Kind<NodeClassObject>> classKinds) {
        this(Reading.by(reader), kinds, classKinds);
    }

    public View(
            Reading reading,
            List<Kind<? extends KubeObject>> kinds,
            List<Kind<NodeClassObject>> classKinds) {
        this.reading = reading;
        this.classKinds = List.copyOf(classKinds);
        podsByNode = add(Kind.POD).index(PodObject::nodeName);
        nodesByProviderId = add(Kind.NODE).index(NodeObject::providerId);
        claimsByProviderId = add(Kind.NODE_CLAIM).index(ClaimObject::providerId);
        attachmentsByNode = add(Kind.VOLUME_ATTACHMENT).index(AttachmentObject::nodeName);
        add(Kind.NODE_POOL);
        kinds.forEach(this::add);
        classKinds.forEach(this::add);
    }

    private View(List<Kind<? extends KubeObject>> kinds) {
        var reader = new ObjectReader(LabelVocabulary.CORE);
        this.reading = Reading.by(reader);
        this.classKinds = List.of();
        podsByNode = new ObjectCache<>(reader::pod).index(PodObject::nodeName);
        nodesByProviderId = new ObjectCache<>(reader::node).index(NodeObject::providerId);
        claimsByProviderId = new ObjectCache<>(reader::claim).index(ClaimObject::providerId);
        attachmentsByNode = new ObjectCache<>(reader::attachment).index(AttachmentObject::nodeName);
        kinds.forEach(this::add);
    }

    /// With these kinds alone, for an operator that has nothing to do with nodes: no pod of its
    /// cluster is watched.
    public static View only(List<Kind<? extends KubeObject>> kinds) {
        return new View(kinds);
    }

    private <T extends KubeObject> ObjectCache<T> add(Kind<T> kind) {
        if (!caches.containsKey(kind)) {
            caches.put(kind, new ObjectCache<T>(object -> reading.read(kind, object)));
        }
        return cache(kind);
    }

    /// The kinds that are kept, each to be watched.
    public Collection<Kind<?>> kinds() {
        return List.copyOf(caches.keySet());
    }

    public List<Kind<NodeClassObject>> classKinds() {
        return classKinds;
    }

    /// @throws IllegalArgumentException when this view does not keep the kind
    @SuppressWarnings("unchecked") // A kind's cache was made for its type.
    public <T extends KubeObject> ObjectCache<T> cache(Kind<T> kind) {
        var cache = caches.get(kind);
        if (cache == null) {
            throw new IllegalArgumentException("kind %s is not kept in this view".formatted(kind));
        }
        return (ObjectCache<T>) cache;
    }

    public boolean keeps(Kind<?> kind) {
        return caches.containsKey(kind);
    }

    /// The caches that hold this resource's objects: where the answer to a write belongs.
    public List<ObjectCache<?>> caches(ResourceType type) {
        return caches.entrySet().stream()
                .filter(entry -> entry.getKey().type().equals(type))
                .<ObjectCache<?>>map(Map.Entry::getValue)
                .toList();
    }

    /// Grows with every change of any object.
    public long revision() {
        var sum = 0L;
        for (var cache : caches.values()) {
            sum += cache.revision();
        }
        return sum;
    }

    /// Grows with every change of an object of these kinds.
    public long revision(List<Kind<?>> of) {
        var sum = 0L;
        for (var kind : of) {
            var cache = caches.get(kind);
            sum += cache == null ? 0 : cache.revision();
        }
        return sum;
    }

    public @Nullable PodObject pod(ObjectName name) {
        return cache(Kind.POD).find(name);
    }

    public Collection<PodObject> pods() {
        return cache(Kind.POD).all();
    }

    /// In the order of their names; those that have ended are among them.
    public List<PodObject> podsOn(String nodeName) {
        return podsByNode.with(nodeName);
    }

    public @Nullable NodeObject node(String name) {
        return cache(Kind.NODE).find(name);
    }

    public Collection<NodeObject> nodes() {
        return cache(Kind.NODE).all();
    }

    public List<NodeObject> nodesOf(String providerId) {
        return nodesByProviderId.with(providerId);
    }

    public @Nullable ClaimObject claim(String name) {
        return cache(Kind.NODE_CLAIM).find(name);
    }

    public Collection<ClaimObject> claims() {
        return cache(Kind.NODE_CLAIM).all();
    }

    public List<ClaimObject> claimsOf(String providerId) {
        return claimsByProviderId.with(providerId);
    }

    /// The claim of a node, or null when there is none or more than one.
    public @Nullable ClaimObject claimOf(NodeObject node) {
        var claims = claimsOf(node.providerId());
        return claims.size() == 1 ? claims.getFirst() : null;
    }

    public @Nullable PoolObject pool(String name) {
        return cache(Kind.NODE_POOL).find(name);
    }

    public Collection<PoolObject> pools() {
        return cache(Kind.NODE_POOL).all();
    }

    public List<AttachmentObject> attachmentsOf(String nodeName) {
        return attachmentsByNode.with(nodeName);
    }

    /// Null when the class is not there, or is of a kind that nobody here understands.
    public @Nullable NodeClassObject nodeClass(NodeClassRef reference) {
        for (var kind : classKinds) {
            if (kind.type().group().equals(reference.group())
                    && kind.type().kind().equals(reference.kind())) {
                return cache(kind).find(reference.name());
            }
        }
        return null;
    }

    /// Whether the pool, claim or node of this class is this provider's.
    public boolean isManaged(NodeClassRef reference) {
        return classKinds.stream()
                .anyMatch(
                        kind ->
                                kind.type().group().equals(reference.group())
                                        && kind.type().kind().equals(reference.kind()));
    }

    public boolean isManaged(NodeObject node) {
        return classKinds.stream()
                .anyMatch(
                        kind ->
                                node.meta()
                                        .labels()
                                        .containsKey(
                                                new NodeClassRef(
                                                                kind.type().group(),
                                                                kind.type().kind(),
                                                                "")
                                                        .labelKey()));
    }
}
