package dev.millwright.capi.terraform;

import dev.millwright.capi.workspace.Ownership;
import dev.millwright.kube.client.KubeApi;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.object.RawObject;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.locks.ReentrantLock;

/// Leaves Workspaces to Crossplane where its provider runs: the Deployment that Crossplane makes
/// for it, scaled to at least one. Looked for once a minute, so that a swap needs no restart.
public final class CrossplaneOwnership implements Ownership {

    /// What was asked for on the command line.
    public enum Choice {
        AUTO,
        OWN,
        LEAVE
    }

    private static final String SELECTOR = "pkg.crossplane.io/provider=provider-terraform";
    private static final Duration ASK_EVERY = Duration.ofMinutes(1);
    private static final int PAGE = 10;

    private final KubeApi api;
    private final InstantSource clock;
    private final Choice choice;
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable Answer answer;
    private Instant askedAt = Instant.EPOCH;

    public CrossplaneOwnership(KubeApi api, InstantSource clock, Choice choice) {
        this.api = api;
        this.clock = clock;
        this.choice = choice;
    }

    @Override
    public Answer now() {
        return switch (choice) {
            case OWN -> new Answer.Ours();
            case LEAVE -> new Answer.Theirs("--workspaces leave");
            case AUTO -> looked();
        };
    }

    private Answer looked() {
        lock.lock();
        try {
            var now = clock.instant();
            var known = answer;
            if (known == null || !now.isBefore(askedAt.plus(ASK_EVERY))) {
                known = ask();
                answer = known;
                askedAt = now;
            }
            return known;
        } finally {
            lock.unlock();
        }
    }

    private Answer ask() {
        return switch (api.list(
                ResourceType.DEPLOYMENT, new KubeApi.ListQuery("", SELECTOR, "", PAGE, ""))) {
            case KubeApi.ListAnswer.Page(var items, _, _) -> {
                for (var item : items) {
                    var deployment = RawObject.of(item);
                    if (deployment.spec().at("replicas").whole(0, Integer.MAX_VALUE, 1) > 0) {
                        yield new Answer.Theirs("Deployment " + deployment.name());
                    }
                }
                yield new Answer.Ours();
            }
            // Not to know is not to run: two that apply would do everything twice.
            case KubeApi.ListAnswer.Expired(var message) -> new Answer.Theirs(message);
            case KubeApi.ListAnswer.Failed(var message) -> new Answer.Theirs(message);
            case KubeApi.ListAnswer.NotServed() -> new Answer.Ours();
        };
    }
}
