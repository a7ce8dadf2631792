package dev.millwright.cli.demo;

import dev.millwright.world.chance.Chance;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// What befalls the demo's cluster, in rounds of three quarters of an hour: people come, a batch
/// runs, the cloud takes machines back, people go. The seed changes the numbers and the moments,
/// not the story.
final class Script {

    static final String NAMESPACE = "shop";

    /// One round; at the usual speed that many seconds.
    static final Duration ROUND = Duration.ofMinutes(45);

    /// Something that users or the cloud do, so long after the round's beginning.
    sealed interface Beat {
        Duration after();

        /// A Deployment gets so many replicas.
        record Scale(Duration after, String deployment, int replicas, String why) implements Beat {}

        /// Pods come that end by themselves.
        record Burst(Duration after, String job, int pods, long runSeconds) implements Beat {}

        /// Pods of a Deployment are replaced by those of a new version.
        record Roll(Duration after, String deployment) implements Beat {}

        /// The cloud takes spot machines back.
        record Loss(Duration after, int machines) implements Beat {}
    }

    private Script() {}

    static List<Beat> round(int number, Chance chance) {
        var beats = new ArrayList<Beat>();
        beats.add(scale(chance, 2, "storefront", 18, 30, "the shop opens"));
        beats.add(scale(chance, 4, "checkout", 8, 14, "baskets fill"));
        beats.add(scale(chance, 5, "search", 6, 12, "people look for things"));
        beats.add(
                new Beat.Burst(
                        at(chance, 9),
                        "reports-" + number,
                        chance.between(24, 48),
                        chance.between(240, 420)));
        beats.add(new Beat.Loss(at(chance, 13), 1));
        beats.add(scale(chance, 17, "recommendations", 8, 14, "a sale begins"));
        beats.add(scale(chance, 18, "storefront", 36, 56, "the sale draws people"));
        beats.add(new Beat.Roll(at(chance, 22), "search"));
        beats.add(new Beat.Loss(at(chance, 26), chance.between(2, 3)));
        beats.add(scale(chance, 30, "recommendations", 0, 0, "the sale is over"));
        beats.add(scale(chance, 32, "storefront", 8, 14, "the shop empties"));
        beats.add(scale(chance, 33, "search", 3, 5, "fewer people look for things"));
        beats.add(scale(chance, 34, "checkout", 4, 6, "the last baskets are paid"));
        beats.add(scale(chance, 36, "thumbnails", 20, 40, "new goods are photographed"));
        beats.add(scale(chance, 42, "thumbnails", 6, 12, "all photographs are done"));
        beats.sort(Comparator.comparing(Beat::after));
        return beats;
    }

    private static Beat scale(
            Chance chance, int minute, String deployment, int least, int most, String why) {
        return new Beat.Scale(at(chance, minute), deployment, chance.between(least, most), why);
    }

    /// Within a minute after the one that is named.
    private static Duration at(Chance chance, int minute) {
        return Duration.ofMinutes(minute).plusSeconds(chance.between(0, 59));
    }
}
