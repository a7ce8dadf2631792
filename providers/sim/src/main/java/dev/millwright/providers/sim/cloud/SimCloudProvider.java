package dev.millwright.providers.sim.cloud;

import dev.millwright.core.policy.NodePool;
import dev.millwright.core.policy.RepairPolicy;
import dev.millwright.core.policy.SchedulingPolicy.UnsupportedStorage;
import dev.millwright.kube.time.Sleeper;
import dev.millwright.providers.sim.Ec2Catalogue;
import dev.millwright.providers.sim.Ec2Settings;
import dev.millwright.providers.sim.KwokNodeClass;
import dev.millwright.providers.sim.NodeClassState;
import dev.millwright.spi.CatalogAnswer;
import dev.millwright.spi.CloudProvider;
import dev.millwright.spi.CloudTraits;
import dev.millwright.spi.DriftAnswer;
import dev.millwright.spi.FindAnswer;
import dev.millwright.spi.LaunchAnswer;
import dev.millwright.spi.ListAnswer;
import dev.millwright.spi.MachineClaim;
import dev.millwright.spi.NodeClassKind;
import dev.millwright.spi.NoticesAnswer;
import dev.millwright.spi.TerminateAnswer;
import dev.millwright.spi.ec2.Ec2Labels;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/// The simulated cloud behind the port: reads the clock, takes turns, and waits as long as an
/// answer takes. It decides nothing.
public final class SimCloudProvider implements CloudProvider {

    private static final Duration UNHEALTHY = Duration.ofMinutes(10);

    private static final List<RepairPolicy> REPAIR_POLICIES =
            List.of(
                    new RepairPolicy("Ready", "False", UNHEALTHY).drainedWithin(Duration.ZERO),
                    new RepairPolicy("Ready", "Unknown", UNHEALTHY).drainedWithin(Duration.ZERO));

    private final SimCloud cloud;
    private final CloudTraits traits;
    private final InstantSource clock;
    private final Sleeper sleeper;
    private final ReentrantLock turn = new ReentrantLock();

    public SimCloudProvider(
            SimCloud cloud, CloudTraits traits, InstantSource clock, Sleeper sleeper) {
        this.cloud = cloud;
        this.traits = traits;
        this.clock = clock;
        this.sleeper = sleeper;
    }

    /// A cloud that sells what EC2 sells.
    public static SimCloudProvider ec2(
            SimSettings settings,
            NodeClassState.Lookup classes,
            InstantSource clock,
            Sleeper sleeper) {
        var cloud =
                new SimCloud(
                        settings,
                        Ec2Catalogue.load().instanceTypes(Ec2Settings.DEFAULT),
                        Ec2Labels.VOCABULARY,
                        classes,
                        clock.instant());
        return new SimCloudProvider(cloud, ec2Traits(List.of(KwokNodeClass.KIND)), clock, sleeper);
    }

    /// For classes of any kind: the simulated cloud looks into none.
    public static CloudTraits ec2Traits(List<NodeClassKind> kinds) {
        return new CloudTraits(
                "sim",
                kinds,
                Ec2Labels.VOCABULARY,
                UnsupportedStorage.NONE,
                REPAIR_POLICIES,
                CloudTraits.LAUNCH_TIMEOUT_DEFAULT,
                null);
    }

    @Override
    public CloudTraits traits() {
        return traits;
    }

    @Override
    public LaunchAnswer launch(MachineClaim claim) {
        return await(now -> cloud.launch(claim, now), LaunchAnswer.Failed::new);
    }

    @Override
    public TerminateAnswer terminate(MachineClaim claim) {
        return await(now -> cloud.terminate(claim, now), TerminateAnswer.Failed::new);
    }

    @Override
    public FindAnswer find(String providerId) {
        return await(now -> cloud.find(providerId, now), FindAnswer.Failed::new);
    }

    @Override
    public ListAnswer list() {
        return await(cloud::list, ListAnswer.Failed::new);
    }

    @Override
    public CatalogAnswer catalog(NodePool nodePool) {
        return new CatalogAnswer.Types(inTurn(cloud::catalog));
    }

    @Override
    public DriftAnswer drift(MachineClaim claim) {
        return inTurn(now -> cloud.drift(claim, now));
    }

    @Override
    public NoticesAnswer notices() {
        return new NoticesAnswer.Notices(inTurn(cloud::notices));
    }

    /// All that happened since the last time, for whoever plays the kubelets.
    public List<SimEvent> advance() {
        return inTurn(cloud::advance);
    }

    private <A> A await(Function<Instant, Timed<A>> call, Function<String, A> failed) {
        var calledAt = clock.instant();
        var timed = inTurn(call);
        var wait = Duration.between(calledAt, timed.at());
        try {
            if (wait.isPositive()) {
                sleeper.sleep(wait);
            }
            return timed.answer();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return failed.apply("the wait for an answer was interrupted");
        }
    }

    private <A> A inTurn(Function<Instant, A> call) {
        turn.lock();
        try {
            return call.apply(clock.instant());
        } finally {
            turn.unlock();
        }
    }
}
