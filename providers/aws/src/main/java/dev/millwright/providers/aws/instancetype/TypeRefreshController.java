package dev.millwright.providers.aws.instancetype;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.cache.View;
import dev.millwright.providers.aws.api.Asked;
import dev.millwright.providers.aws.api.Ec2Api;
import dev.millwright.providers.aws.api.InstanceTypeInfo;
import dev.millwright.runtime.log.LogLevel;
import dev.millwright.runtime.metrics.GaugeSample;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Effect.Ask.Touch;
import dev.millwright.runtime.step.Singleton;
import dev.millwright.runtime.step.Step;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SequencedMap;
import java.util.SortedSet;

/// Asks EC2 twice a day which types there are and in which zones.
public final class TypeRefreshController implements Singleton {

    private static final Duration EVERY = Duration.ofHours(12);
    private static final long BYTES_PER_MEBIBYTE = 1L << 20;

    private final Ec2Api ec2;
    private final KnownTypes known;

    public TypeRefreshController(Ec2Api ec2, KnownTypes known) {
        this.ec2 = ec2;
        this.known = known;
    }

    @Override
    public String name() {
        return "providers.instancetype";
    }

    @Override
    public Step step(View view, ObjectName key, Instant now) {
        var questions =
                List.of(
                        Step.of(
                                new Effect.Ask<>(
                                        "instance types",
                                        Touch.READS,
                                        () -> Asked.of(ec2::instanceTypes),
                                        this::takeTypes)),
                        Step.of(
                                new Effect.Ask<>(
                                        "instance type offerings",
                                        Touch.READS,
                                        () -> Asked.of(ec2::zonesByType),
                                        this::takeZones)));
        return Step.of(new Effect.Together(questions, questions.size())).thenAgain(EVERY);
    }

    private Step takeTypes(Asked<List<InstanceTypeInfo>> answer) {
        var before = known.picture().version();
        var fault = known.acceptTypes(answer);
        if (fault != null) {
            return Step.failed(fault);
        }
        var picture = known.picture();
        var effects = new ArrayList<Effect>();
        effects.add(new Effect.Gauges(name(), samples(picture)));
        if (picture.version() != before) {
            effects.add(
                    new Effect.Say(
                            LogLevel.DEBUG,
                            "discovered instance types",
                            "count",
                            picture.types().size()));
        }
        return Step.of(effects);
    }

    private Step takeZones(Asked<SequencedMap<String, SortedSet<String>>> answer) {
        var before = known.picture().version();
        var fault = known.acceptZones(answer);
        if (fault != null) {
            return Step.failed(fault);
        }
        var picture = known.picture();
        return picture.version() == before
                ? Step.DONE
                : Step.of(
                        new Effect.Say(
                                LogLevel.DEBUG,
                                "discovered zones of instance types",
                                "zones",
                                String.join(",", picture.zones())));
    }

    private static List<GaugeSample> samples(KnownTypes.Picture picture) {
        var samples = new ArrayList<GaugeSample>();
        for (var type : picture.types().sequencedValues()) {
            var labels = List.of(type.name());
            samples.add(
                    new GaugeSample(
                            TypeFamilies.CPU_CORES, type.machine().processor().vcpus(), labels));
            samples.add(
                    new GaugeSample(
                            TypeFamilies.MEMORY_BYTES,
                            type.machine().memoryMebibytes() * BYTES_PER_MEBIBYTE,
                            labels));
        }
        return samples;
    }
}
