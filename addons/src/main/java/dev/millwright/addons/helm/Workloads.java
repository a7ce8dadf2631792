package dev.millwright.addons.helm;

import dev.millwright.addons.helm.ManagementSecrets.Content;
import dev.millwright.addons.object.Canonical;
import dev.millwright.addons.port.HelmRuns.Contents;
import dev.millwright.addons.port.ReleaseId;
import dev.millwright.addons.port.Storage;
import dev.millwright.addons.port.StoredRelease;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.ApiSettings;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.HttpKubeApi;
import dev.millwright.kube.client.KubeAccess;
import dev.millwright.kube.client.KubeAccessException;
import dev.millwright.kube.client.KubeApi.ListAnswer;
import dev.millwright.kube.client.KubeApi.ListQuery;
import dev.millwright.kube.client.RequestObserver;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.object.RawObject;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/// Helm's storage on workload clusters. A connection lasts as long as a question: a thousand
/// clusters cost no thousand open ones, and their kubeconfigs lie nowhere.
final class Workloads {

    private static final Duration ANSWER_MAX = Duration.ofSeconds(15);
    private static final int PAGE_SIZE = 250;

    /// Pages that one look at a cluster reads: 50,000 revisions of releases.
    private static final int PAGES_MAX = 200;

    /// A cluster is its owner's, who may let it answer without an end. A thousand releases with ten
    /// revisions each take 15 MiB.
    static final long ANSWER_BYTES_MAX = 32L << 20;

    private static final Duration ANSWERS_MAX = Duration.ofSeconds(60);

    private final ManagementSecrets secrets;
    private final Path directory;
    private final InstantSource clock;
    private final ApiSettings settings;

    Workloads(ManagementSecrets secrets, Path directory, InstantSource clock) {
        this(secrets, directory, clock, settings(ANSWER_MAX, ANSWERS_MAX));
    }

    Workloads(
            ManagementSecrets secrets, Path directory, InstantSource clock, ApiSettings settings) {
        this.secrets = secrets;
        this.directory = directory;
        this.clock = clock;
        this.settings = settings;
    }

    /// @param each of a single request
    /// @param all of all requests of a question
    static ApiSettings settings(Duration each, Duration all) {
        return ApiSettings.ofForeign(
                "millwright-addons", each, new ApiSettings.Budget(ANSWER_BYTES_MAX, all));
    }

    /// Every release of the cluster, by the labels of its storage.
    Storage.Look releases(ObjectName cluster) {
        return connected(
                cluster,
                Workloads::listed,
                Storage.Look.NoKubeconfig::new,
                Storage.Look.Failed::new);
    }

    /// What a question to a cluster comes to.
    private <A> A connected(
            ObjectName cluster,
            Function<HttpKubeApi, A> question,
            Function<String, A> withoutKubeconfig,
            Function<String, A> unreachable) {
        return switch (secrets.kubeconfig(cluster)) {
            case Content.Absent(var message) -> withoutKubeconfig.apply(message);
            case Content.Found(var bytes, _) -> {
                try (var scratch = new Scratch(directory)) {
                    var file = scratch.file("kubeconfig", bytes);
                    try (var api = open(file)) {
                        yield question.apply(api);
                    }
                } catch (KubeAccessException unusable) {
                    // Without the file's own words: it is a name nobody knows, and it is gone.
                    yield withoutKubeconfig.apply(
                            "the kubeconfig of Cluster %s cannot be used".formatted(cluster));
                } catch (RuntimeException broken) {
                    yield unreachable.apply(
                            "Cluster %s cannot be asked: %s"
                                    .formatted(cluster, broken.getClass().getSimpleName()));
                }
            }
        };
    }

    private HttpKubeApi open(Path kubeconfig) {
        return HttpKubeApi.open(
                KubeAccess.find(Map.copyOf(System.getenv()), kubeconfig, null),
                settings,
                RequestObserver.NONE);
    }

    private static Storage.Look listed(HttpKubeApi api) {
        var latest = new TreeMap<ReleaseId, StoredRelease>();
        var query = new ListQuery("", "owner=helm", "", PAGE_SIZE, "");
        for (var page = 0; page < PAGES_MAX; page++) {
            switch (api.listMetadata(ResourceType.SECRET, query)) {
                case ListAnswer.Page(var items, _, var token) -> {
                    items.forEach(item -> note(latest, item));
                    if (token.isEmpty()) {
                        return new Storage.Look.Seen(latest);
                    }
                    query = query.next(token);
                }
                case ListAnswer.NotServed() -> {
                    return new Storage.Look.Failed("the cluster serves no Secrets");
                }
                case ListAnswer.Expired(var message) -> {
                    return new Storage.Look.Failed(message);
                }
                case ListAnswer.Failed(var message) -> {
                    return new Storage.Look.Failed(message);
                }
            }
        }
        return new Storage.Look.Failed(
                "the cluster's list of releases has more than %d pages of %d"
                        .formatted(PAGES_MAX, PAGE_SIZE));
    }

    private static void note(Map<ReleaseId, StoredRelease> latest, Value.Mapping item) {
        var meta = RawObject.of(item).meta();
        var id = new ReleaseId(meta.name().namespace(), meta.label("name"));
        var revision = number(meta.label("version"));
        var before = latest.get(id);
        if (!id.name().isEmpty() && (before == null || before.revision() < revision)) {
            var modified = number(meta.label("modifiedAt"));
            latest.put(
                    id,
                    new StoredRelease(
                            id,
                            revision,
                            meta.label("status"),
                            modified > 0 ? Instant.ofEpochSecond(modified) : meta.createdAt(),
                            meta.labels()));
        }
    }

    private static long number(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException none) {
            return 0;
        }
    }

    /// A value, or why there is none.
    sealed interface Found<A> {
        record Value<A>(A value) implements Found<A> {}

        record Nothing<A>(boolean isKubeconfig, String message) implements Found<A> {}
    }

    /// What a revision was made from.
    Found<Contents> contents(ObjectName cluster, ReleaseId id, long revision) {
        return connected(
                cluster,
                api -> contents(api, id, revision),
                message -> new Found.Nothing<>(true, message),
                message -> new Found.Nothing<>(false, message));
    }

    private static Found<Contents> contents(HttpKubeApi api, ReleaseId id, long revision) {
        var answer = api.read(ResourceType.SECRET, secretName(id, revision));
        if (!(answer instanceof ApiAnswer.Done(var object))) {
            return unread(id, revision, answer.explain());
        }
        try {
            var release = RawObject.of(ReleaseCodec.decoded(data(object))).root();
            var config = release.at("config").value();
            return new Found.Value<>(
                    new Contents(
                            revision,
                            release.at("chart").at("metadata").at("version").text(""),
                            Canonical.json(config == null ? Tree.of().mapping() : config)));
        } catch (IOException unreadable) {
            return unread(id, revision, "it is not what Helm writes");
        }
    }

    private static <A> Found<A> unread(ReleaseId id, long revision, String why) {
        return new Found.Nothing<>(
                false, "revision %d of release %s cannot be read: %s".formatted(revision, id, why));
    }

    private static ObjectName secretName(ReleaseId id, long revision) {
        return new ObjectName(
                id.namespace(), "sh.helm.release.v1.%s.v%d".formatted(id.name(), revision));
    }

    private static String data(Value.Mapping secret) {
        return RawObject.of(secret).root().at("data").at("release").text("");
    }

    /// Says of a pending revision that it failed, so that Helm goes on from it. The write fails
    /// when somebody else wrote after we read: then a run is at it.
    Found<Boolean> giveUp(ObjectName cluster, ReleaseId id, long revision) {
        return connected(
                cluster,
                api -> giveUp(api, id, revision),
                message -> new Found.Nothing<>(true, message),
                message -> new Found.Nothing<>(false, message));
    }

    private Found<Boolean> giveUp(HttpKubeApi api, ReleaseId id, long revision) {
        var name = secretName(id, revision);
        var answer = api.read(ResourceType.SECRET, name);
        if (!(answer instanceof ApiAnswer.Done(var object))) {
            return unread(id, revision, answer.explain());
        }
        var meta = RawObject.of(object).meta();
        if (!meta.label("status").startsWith("pending-")) {
            return new Found.Value<>(true); // Somebody has ended it meanwhile.
        }
        try {
            var release = failed(ReleaseCodec.decoded(data(object)));
            var labels =
                    Tree.of("status", "failed")
                            .put("modifiedAt", Long.toString(clock.instant().getEpochSecond()));
            var patch =
                    Tree.of("metadata", meta.locked().put("labels", labels))
                            .put("data", Tree.of("release", ReleaseCodec.encoded(release)))
                            .mapping();
            var written =
                    api.write(
                            new ApiWrite.Patch(
                                    ResourceType.SECRET,
                                    name,
                                    ApiWrite.PatchKind.MERGE,
                                    ApiWrite.Subresource.NONE,
                                    patch));
            return written.isDone()
                    ? new Found.Value<>(true)
                    : unread(id, revision, written.explain());
        } catch (IOException unreadable) {
            return unread(id, revision, "it is not what Helm writes");
        }
    }

    private static Value.Mapping failed(Value.Mapping release) {
        var fields = new LinkedHashMap<>(release.fields());
        var info =
                fields.get("info") instanceof Value.Mapping before
                        ? new LinkedHashMap<>(before.fields())
                        : new LinkedHashMap<String, Value>();
        info.put("status", Tree.text("failed"));
        info.put(
                "description",
                Tree.text("the run that made this revision ended before it was done"));
        fields.put("info", new Value.Mapping(release.position(), info));
        return new Value.Mapping(release.position(), fields);
    }
}
