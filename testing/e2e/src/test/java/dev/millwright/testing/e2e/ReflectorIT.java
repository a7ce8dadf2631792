package dev.millwright.testing.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.cache.CacheSink;
import dev.millwright.kube.cache.ObjectCache;
import dev.millwright.kube.cache.Reflector;
import dev.millwright.kube.cache.ReflectorNote;
import dev.millwright.kube.cache.Reflectors;
import dev.millwright.kube.client.ApiSettings;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.HttpKubeApi;
import dev.millwright.kube.client.KubeAccess;
import dev.millwright.kube.client.KubeApi.ListAnswer;
import dev.millwright.kube.client.KubeApi.ListQuery;
import dev.millwright.kube.client.KubeApi.WatchEnd;
import dev.millwright.kube.client.Metadata;
import dev.millwright.kube.client.RequestObserver;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Faults;
import dev.millwright.kube.document.Field;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.kube.lease.ElectionSettings;
import dev.millwright.kube.lease.LeaderElection;
import dev.millwright.kube.object.Kept;
import dev.millwright.kube.object.Meta;
import dev.millwright.kube.time.Sleeper;
import dev.millwright.kube.time.Ticker;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;

/// Watches and leases while the API server goes away and comes back.
final class ReflectorIT {

    private static final ResourceType CONFIG_MAP =
            new ResourceType("", "v1", "configmaps", "ConfigMap", true);

    /// Short, so that a server that hangs is noticed within the test.
    private static final Duration SILENCE_MAX = Duration.ofSeconds(3);

    private static ControlPlane controlPlane;
    private static HttpKubeApi api;

    private final ObjectCache<Kept<String>> cache = new ObjectCache<>(ReflectorIT::read);
    private final List<ReflectorNote> notes = new CopyOnWriteArrayList<>();
    private String namespace;
    private Reflectors reflectors;

    @BeforeAll
    static void start() {
        controlPlane = ControlPlane.start(ControlPlane.Options.apiOnly());
        api =
                HttpKubeApi.open(
                        KubeAccess.Kubeconfig.of(controlPlane.kubeconfig()),
                        new ApiSettings("karpenter/it", Duration.ofSeconds(5), SILENCE_MAX, null),
                        RequestObserver.NONE);
    }

    @AfterAll
    static void close() {
        api.close();
        controlPlane.close();
    }

    @BeforeEach
    void watch() {
        namespace = controlPlane.createNamespace();
        var pods =
                new Reflector(
                        api,
                        Reflector.Subject.all(CONFIG_MAP).inNamespace(namespace),
                        new CacheSink(List.of(cache)),
                        new Reflector.Surroundings(
                                InstantSource.system(), Sleeper.system(), new SplittableRandom(1)),
                        (_, note) -> notes.add(note));
        reflectors = new Reflectors(List.of(pods), InstantSource.system(), Sleeper.system());
        reflectors.start();
        Eventually.see("the cache is synced", reflectors::isSynced, Boolean.TRUE::equals);
    }

    @AfterEach
    void stop() {
        reflectors.close();
    }

    private static Kept<String> read(Value.Mapping object) {
        var meta = Meta.of(Field.root("object", object, new Faults()));
        return new Kept<>(meta, meta.resourceVersion());
    }

    private void create(String name) {
        var body = Tree.of("metadata", Tree.of("name", name)).mapping();
        Eventually.see(
                "ConfigMap " + name + " is made",
                () -> api.write(new ApiWrite.Create(CONFIG_MAP, namespace, body)),
                answer -> answer.isDone() || answer.isConflict());
    }

    private void delete(String name) {
        var write = new ApiWrite.Delete(CONFIG_MAP, new ObjectName(namespace, name), null, null);
        Eventually.see(
                "ConfigMap " + name + " is deleted",
                () -> api.write(write),
                answer -> answer.isDone() || answer.isNotFound());
    }

    private Map<String, String> onServer() {
        var versions = new TreeMap<String, String>();
        if (api.list(CONFIG_MAP, new ListQuery(namespace, "", "", 0, ""))
                instanceof ListAnswer.Page page) {
            page.items()
                    .forEach(
                            item ->
                                    versions.put(
                                            Metadata.of(item).name().name(),
                                            Metadata.of(item).resourceVersion()));
        }
        return versions;
    }

    private Map<String, String> inCache() {
        var versions = new TreeMap<String, String>();
        cache.all().forEach(kept -> versions.put(kept.name().name(), kept.value()));
        return versions;
    }

    private void seeTheServersState() {
        var wanted = onServer();
        assertThat(wanted).isNotEmpty();
        Eventually.see("the cache is as the server", this::inCache, wanted::equals);
    }

    @Test
    void aRestartOfTheServerLosesNothing() {
        create("before");
        create("gone");
        var writer =
                Thread.startVirtualThread(
                        () -> {
                            for (var number = 0; number < 60; number++) {
                                create("during-" + number);
                            }
                            delete("gone");
                        });

        controlPlane.restartApiServer();
        join(writer);

        seeTheServersState();
        assertThat(inCache()).hasSize(61).doesNotContainKey("gone");
    }

    @Test
    void aServerThatLosesPowerLosesUsNothing() {
        create("before");

        controlPlane.kill(Component.API_SERVER);
        controlPlane.start(Component.API_SERVER);
        delete("before");
        create("after");

        seeTheServersState();
        assertThat(inCache()).containsOnlyKeys("after");
    }

    @Test
    void aServerThatHangsIsNoticedAndCaughtUpWith() {
        create("before");
        seeTheServersState();

        controlPlane.pause(Component.API_SERVER);
        try {
            Eventually.see(
                    "the silent watch is broken off",
                    () -> List.copyOf(notes),
                    seen ->
                            seen.stream()
                                    .anyMatch(
                                            note ->
                                                    note
                                                                    instanceof
                                                                    ReflectorNote.WatchEnded(
                                                                            var end,
                                                                            _)
                                                            && end == WatchEnd.FAILED));
        } finally {
            controlPlane.resume(Component.API_SERVER);
        }
        create("after");

        seeTheServersState();
    }

    @Test
    void theLeaseGoesToTheNextWhenItIsGivenUp() throws InterruptedException {
        var first = election("one");
        first.acquire();
        var second = election("two");
        var waiting = Thread.startVirtualThread(() -> acquire(second));

        assertThat(first.isLeader()).isTrue();
        assertThat(second.isLeader()).isFalse();
        first.release();

        join(waiting);
        assertThat(first.isLeader()).isFalse();
        assertThat(second.isLeader()).isTrue();
        assertThat(
                        controlPlane.kubectl(
                                "get",
                                "lease",
                                "leader",
                                "-n",
                                namespace,
                                "-o=jsonpath={.spec.holderIdentity} {.spec.leaseTransitions}"))
                .isEqualTo("host_two 1");
        second.release();
    }

    private LeaderElection election(String id) {
        return new LeaderElection(
                api,
                ElectionSettings.of(new ObjectName(namespace, "leader"), "host", id),
                new LeaderElection.Surroundings(
                        Ticker.system(),
                        InstantSource.system(),
                        Sleeper.system(),
                        new SplittableRandom(id.hashCode())));
    }

    private static void acquire(LeaderElection election) {
        try {
            election.acquire();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting", interrupted);
        }
    }
}
