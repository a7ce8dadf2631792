package dev.millwright.providers.sim.kwok;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.KubeApi;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.time.Sleeper;
import dev.millwright.spi.Machine;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/// Machines that are launched and whose Node is not there yet: each waits out its delay on a thread
/// of its own and then creates the Node, trying again as long as the API server refuses.
final class Registrations implements AutoCloseable {

    /// Waits between attempts; after the last the machine stays without a Node, as machines do
    /// whose kubelet never comes up.
    private static final List<Duration> BACKOFF =
            List.of(
                    Duration.ofMillis(10),
                    Duration.ofMillis(50),
                    Duration.ofMillis(250),
                    Duration.ofSeconds(1),
                    Duration.ofSeconds(5),
                    Duration.ofSeconds(15));

    /// Creations at once: threads are free, the API server is not.
    private static final int CREATIONS_MAX = 100;

    private static final Duration CLOSE_WITHIN = Duration.ofSeconds(5);

    private final KubeApi api;
    private final NodeLookup nodes;
    private final Sleeper sleeper;
    private final KwokCloud.Listener listener;
    private final ConcurrentSkipListMap<String, Registration> pending =
            new ConcurrentSkipListMap<>();
    private final Semaphore creations = new Semaphore(CREATIONS_MAX);
    private final ExecutorService threads =
            Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("kwok-node-", 0).factory());

    private final Object idle = new Object();
    private int underWay;

    private static final class Registration {
        private final KwokNode node;
        private volatile boolean isCancelled;

        Registration(KwokNode node) {
            this.node = node;
        }
    }

    Registrations(KubeApi api, NodeLookup nodes, Sleeper sleeper, KwokCloud.Listener listener) {
        this.api = api;
        this.nodes = nodes;
        this.sleeper = sleeper;
        this.listener = listener;
    }

    /// The machine whose Node is under way under this name: this one, or the one that was first.
    Machine begin(KwokNode node, Duration delay) {
        var registration = new Registration(node);
        var earlier = pending.putIfAbsent(node.name(), registration);
        if (earlier != null) {
            return earlier.node.machine();
        }
        change(1);
        threads.execute(() -> register(registration, delay));
        return node.machine();
    }

    private void change(int difference) {
        synchronized (idle) {
            underWay += difference;
            idle.notifyAll();
        }
    }

    /// Waits until nothing is under way.
    void await() throws InterruptedException {
        synchronized (idle) {
            while (underWay > 0) {
                idle.wait();
            }
        }
    }

    @Nullable Machine find(String name) {
        var registration = pending.get(name);
        return registration == null ? null : registration.node.machine();
    }

    List<Machine> all() {
        return pending.values().stream().map(registration -> registration.node.machine()).toList();
    }

    /// The Node is not wanted any more. One that is being created this moment is deleted by its
    /// creator; one that is there is the caller's to delete.
    void cancel(String name) {
        var registration = pending.remove(name);
        if (registration != null) {
            registration.isCancelled = true;
        }
    }

    private void register(Registration registration, Duration delay) {
        var name = registration.node.name();
        try {
            sleeper.sleep(delay);
            create(registration);
            if (registration.isCancelled) {
                delete(name);
            }
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
        } finally {
            pending.remove(name, registration);
            change(-1);
        }
    }

    private void create(Registration registration) throws InterruptedException {
        var create = new ApiWrite.Create(ResourceType.NODE, "", registration.node.body());
        for (var attempt = 0; !registration.isCancelled; attempt++) {
            var answer = write(create);
            if (answer instanceof ApiAnswer.Done(var object)) {
                nodes.learn(object);
                return;
            }
            if (answer.isConflict()) {
                return; // The name is the claim's own: an earlier attempt was heard after all.
            }
            if (attempt == BACKOFF.size()) {
                listener.gaveUp("create", registration.node.name(), answer.explain());
                return;
            }
            sleeper.sleep(BACKOFF.get(attempt));
        }
    }

    private void delete(String name) throws InterruptedException {
        var delete = new ApiWrite.Delete(ResourceType.NODE, new ObjectName("", name), null, null);
        for (var attempt = 0; ; attempt++) {
            var answer = write(delete);
            if (answer.isDone() || answer.isNotFound()) {
                return;
            }
            if (attempt == BACKOFF.size()) {
                listener.gaveUp("delete", name, answer.explain());
                return;
            }
            sleeper.sleep(BACKOFF.get(attempt));
        }
    }

    private ApiAnswer write(ApiWrite write) throws InterruptedException {
        creations.acquire();
        try {
            return api.write(write);
        } finally {
            creations.release();
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
        try {
            threads.awaitTermination(CLOSE_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
