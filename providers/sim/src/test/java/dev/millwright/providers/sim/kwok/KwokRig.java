package dev.millwright.providers.sim.kwok;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.policy.NodePool.NodeClassRef;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.KubeApi;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.providers.sim.KwokCatalogue;
import dev.millwright.providers.sim.KwokNodeClass;
import dev.millwright.providers.sim.KwokTypes;
import dev.millwright.spi.CloudProvider;
import dev.millwright.spi.MachineClaim;
import dev.millwright.testing.kit.FakeClock;
import dev.millwright.testing.kit.cloud.CloudFixture;
import dev.millwright.testing.kit.cluster.FakeApi;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/// A cloud of kwok's on an API server in memory. Waiting takes no time and is written down.
final class KwokRig implements CloudFixture {

    final FakeClock clock = new FakeClock();
    final FakeApi api = new FakeApi(clock);
    final List<Duration> waits = Collections.synchronizedList(new ArrayList<>());
    final List<String> givenUp = Collections.synchronizedList(new ArrayList<>());
    private final Server server = new Server();
    private final KwokTypes types;
    private KwokCloud cloud;

    KwokRig() {
        this(KwokTypes.builtIn());
    }

    KwokRig(KwokTypes types) {
        this.types = types;
        putClass("default", "True", "");
        putClass("not-ready", "False", "");
        cloud = newCloud();
    }

    private KwokCloud newCloud() {
        return new KwokCloud(
                types,
                new KwokCloud.Outside(
                        server,
                        NodeLookup.of(server),
                        KwokNodeClass.of(server),
                        clock,
                        waits::add,
                        (what, node, why) -> givenUp.add(what + " " + node)));
    }

    /// The controller dies and another one begins.
    void restart() {
        cloud.close();
        cloud = newCloud();
    }

    void putClass(String name, String ready, String delay) {
        var condition =
                Tree.of("type", "Ready").put("status", ready).put("message", "because").mapping();
        api.put(
                KwokNodeClass.TYPE,
                Tree.of("metadata", Tree.of("name", name))
                        .put("spec", Tree.of().putUnlessEmpty("nodeRegistrationDelay", delay))
                        .put("status", Tree.of().putList("conditions", List.of(condition)))
                        .mapping());
    }

    KwokCloud cloud() {
        return cloud;
    }

    Value.@Nullable Mapping nodeNamed(String name) {
        return api.find(ResourceType.NODE, new ObjectName("", name));
    }

    @Override
    public CloudProvider provider() {
        return cloud;
    }

    @Override
    public NodeClassRef readyClass() {
        return named("default");
    }

    @Override
    public NodeClassRef missingClass() {
        return named("missing");
    }

    @Override
    public NodeClassRef classNotReady() {
        return named("not-ready");
    }

    static NodeClassRef named(String name) {
        return new NodeClassRef(KwokNodeClass.KIND.group(), KwokNodeClass.KIND.kind(), name);
    }

    @Override
    public String numericLabel() {
        return KwokCatalogue.CPU;
    }

    @Override
    public void put(MachineClaim claim) {
        api.put(
                ResourceType.NODE_CLAIM,
                Tree.of("metadata", Tree.of("name", claim.name()).put("uid", claim.uid()))
                        .mapping());
    }

    @Override
    public void settle() {
        try {
            cloud.awaitRegistrations();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while nodes register", interrupted);
        }
    }

    @Override
    public void breakListing() {
        server.isBroken = true;
    }

    @Override
    public void close() {
        cloud.close();
    }

    /// Happens just before the next Node is created.
    void beforeCreation(Runnable happening) {
        server.beforeCreation.set(happening);
    }

    /// The server, with its moments of weakness.
    private final class Server implements KubeApi {
        private volatile boolean isBroken;
        private final AtomicReference<Runnable> beforeCreation = new AtomicReference<>(() -> {});

        @Override
        public ApiAnswer read(ResourceType type, ObjectName name) {
            return api.read(type, name);
        }

        @Override
        public ApiAnswer write(ApiWrite write) {
            if (write instanceof ApiWrite.Create) {
                beforeCreation.getAndSet(() -> {}).run();
            }
            return api.write(write);
        }

        @Override
        public ListAnswer list(ResourceType type, ListQuery query) {
            return isBroken ? new ListAnswer.Failed("connection refused") : api.list(type, query);
        }

        @Override
        public WatchEnd watch(ResourceType type, WatchQuery query, WatchSink sink) {
            return WatchEnd.CLOSED;
        }
    }
}
