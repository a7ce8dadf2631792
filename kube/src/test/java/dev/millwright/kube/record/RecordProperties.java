package dev.millwright.kube.record;

import dev.millwright.core.deliberation.Deliberation;
import dev.millwright.core.policy.SchedulingPolicy.Packing;
import dev.millwright.core.scheduling.Planner;
import dev.millwright.core.scheduling.SchedulingProblem;
import dev.millwright.kube.record.value.DeliberationReader;
import dev.millwright.kube.record.value.DeliberationWriter;
import dev.millwright.testing.kit.generator.Seeds;
import dev.millwright.testing.kit.generator.Shuffled;
import dev.millwright.testing.kit.generator.Worlds;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// What is recorded comes back as it was.
@Tag("seeds")
class RecordProperties {

    private static final int SEEDS = Seeds.areMany() ? 50 : 16;

    private static Deliberation planned(SchedulingProblem problem) {
        return new Deliberation.Provisioning(problem, Planner.plan(problem));
    }

    private static SchedulingProblem world(long seed) {
        var problem = Worlds.random(seed, Worlds.SMALL);
        return seed % 2 == 0
                ? problem
                : problem.withPolicy(problem.policy().withPacking(Packing.CHEAPEST));
    }

    private static @Nullable String fault(Deliberation written, Deliberation read) {
        return written.equals(read)
                ? null
                : "written as %s%nread as %s".formatted(written.summary(), read);
    }

    @Test
    void everyClusterComesBack() {
        Seeds.forEach(
                SEEDS,
                seed -> {
                    var plan = planned(world(seed));
                    return fault(
                            plan,
                            new DeliberationReader().read(new DeliberationWriter().write(plan)));
                });
    }

    /// The second is written as what differs from the first, the third as what differs from both.
    @Test
    void aClusterComesBackAfterOthers() {
        Seeds.forEach(
                SEEDS,
                seed -> {
                    var writer = new DeliberationWriter();
                    var reader = new DeliberationReader();
                    var first = planned(world(seed));
                    var second = planned(Shuffled.of(world(seed), seed));
                    var third = planned(world(seed + 1));
                    reader.read(writer.write(first));
                    var again = fault(second, reader.read(writer.write(second)));
                    return again != null ? again : fault(third, reader.read(writer.write(third)));
                });
    }
}
