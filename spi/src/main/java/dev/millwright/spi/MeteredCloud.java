package dev.millwright.spi;

import dev.millwright.core.policy.NodePool;
import dev.millwright.spi.CloudCall.Outcome;

import java.util.List;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/// A cloud whose every call is timed and counted.
public final class MeteredCloud implements CloudProvider {

    private static final double NANOS_PER_SECOND = 1e9;

    /// Hears of every call when it is answered, on the thread that made it.
    @FunctionalInterface
    public interface Listener {
        void answered(CloudCall call, double seconds, Outcome outcome);
    }

    private final CloudProvider cloud;
    private final LongSupplier nanos;
    private final Listener listener;

    /// @throws IllegalArgumentException when the cloud is metered already: calls would count twice
    public MeteredCloud(CloudProvider cloud, LongSupplier nanos, Listener listener) {
        if (cloud instanceof MeteredCloud) {
            throw new IllegalArgumentException(
                    "cloud %s is metered already".formatted(cloud.traits().name()));
        }
        this.cloud = cloud;
        this.nanos = nanos;
        this.listener = listener;
    }

    @Override
    public CloudTraits traits() {
        return cloud.traits();
    }

    @Override
    public NoticesAnswer notices() {
        return cloud.notices();
    }

    @Override
    public List<RegistrationHook> registrationHooks() {
        return cloud.registrationHooks();
    }

    @Override
    public LaunchAnswer launch(MachineClaim claim) {
        return timed(CloudCall.LAUNCH, () -> cloud.launch(claim), Outcome::of);
    }

    @Override
    public TerminateAnswer terminate(MachineClaim claim) {
        return timed(CloudCall.TERMINATE, () -> cloud.terminate(claim), Outcome::of);
    }

    @Override
    public FindAnswer find(String providerId) {
        return timed(CloudCall.FIND, () -> cloud.find(providerId), Outcome::of);
    }

    @Override
    public ListAnswer list() {
        return timed(CloudCall.LIST, cloud::list, Outcome::of);
    }

    @Override
    public CatalogAnswer catalog(NodePool nodePool) {
        return timed(CloudCall.CATALOG, () -> cloud.catalog(nodePool), Outcome::of);
    }

    @Override
    public DriftAnswer drift(MachineClaim claim) {
        return timed(CloudCall.DRIFT, () -> cloud.drift(claim), Outcome::of);
    }

    @Override
    public RebootAnswer reboot(MachineClaim claim, String operation) {
        return timed(CloudCall.REBOOT, () -> cloud.reboot(claim, operation), Outcome::of);
    }

    private <A> A timed(CloudCall call, Supplier<A> ask, Function<A, Outcome> outcome) {
        var startedAt = nanos.getAsLong();
        var answer = ask.get();
        var seconds = (nanos.getAsLong() - startedAt) / NANOS_PER_SECOND;
        listener.answered(call, seconds, outcome.apply(answer));
        return answer;
    }
}
