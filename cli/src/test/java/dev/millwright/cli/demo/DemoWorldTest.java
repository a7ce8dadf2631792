package dev.millwright.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.dashboard.page.Action;
import dev.millwright.dashboard.page.Controls.Outcome;
import dev.millwright.dashboard.picture.Picture;
import dev.millwright.dashboard.picture.Picture.Deployment;
import dev.millwright.dashboard.picture.Picture.Moment;
import dev.millwright.dashboard.picture.Picture.Node;
import dev.millwright.dashboard.picture.Picture.Phase;
import dev.millwright.dashboard.picture.PictureJson;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.time.Duration;

class DemoWorldTest {

    private static Picture after(DemoWorld world, int minutes) {
        world.playUntil(world.now().plus(Duration.ofMinutes(minutes)));
        return world.picture();
    }

    private static int pods(Picture picture) {
        return picture.nodes().stream().mapToInt(node -> node.pods().size()).sum();
    }

    private static Deployment deployment(Picture picture, String name) {
        return picture.workload().deployments().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    @Tag("long")
    void aRoundShowsGrowthLossAndDeclineAndBreaksNoRule() {
        var world = DemoWorld.of(1);
        var first = after(world, 2);
        assertThat(first.nodes()).hasSizeGreaterThan(3);
        assertThat(first.workload().waiting()).isEmpty();
        var sale = after(world, 22);
        assertThat(pods(sale)).isGreaterThan(2 * pods(first));
        assertThat(sale.price().perHour()).isGreaterThan(first.price().perHour());
        assertThat(sale.counters().interruptions()).isPositive();
        var evening = after(world, 20);
        assertThat(evening.nodes()).hasSizeLessThan(sale.nodes().size());
        assertThat(evening.price().perHour()).isLessThan(sale.price().perHour());
        assertThat(evening.counters().interruptions()).isGreaterThanOrEqualTo(3);
        assertThat(evening.counters().invariantsBroken()).isZero();
        assertThat(evening.price().history())
                .hasSizeGreaterThan(250)
                .allMatch(DemoWorldTest::isBoundKept);
    }

    /// The bound is of the pods that ran when it was last proven, at most half a minute ago.
    private static boolean isBoundKept(Moment moment) {
        return moment.lowerBoundPerHour() <= moment.pricePerHour();
    }

    @Test
    void theSameSeedTellsTheSameStory() {
        var one = PictureJson.whole(after(DemoWorld.of(5), 2), false);
        assertThat(PictureJson.whole(after(DemoWorld.of(5), 2), false)).isEqualTo(one);
        assertThat(PictureJson.whole(after(DemoWorld.of(6), 2), false)).isNotEqualTo(one);
    }

    @Test
    void visitorsAddScaleInterruptAndFreeze() {
        var world = DemoWorld.of(2);
        after(world, 2);
        assertThat(world.carryOut(new Action.AddPods(12, 1_000, 1_024)))
                .isEqualTo(new Outcome.Done("You added 12 pods: Deployment yours-1."));
        assertThat(world.carryOut(new Action.Scale("thumbnails", 3)))
                .isEqualTo(new Outcome.Done("You scaled thumbnails to 3 pods."));
        assertThat(world.carryOut(new Action.Freeze(true))).isInstanceOf(Outcome.Done.class);
        var running = after(world, 3);
        assertThat(running.isFrozen()).isTrue();
        assertThat(deployment(running, "yours-1").ready()).isEqualTo(12);
        assertThat(deployment(running, "thumbnails").ready()).isEqualTo(3);
        var victim = running.nodes().getLast().name();
        assertThat(world.carryOut(new Action.Interrupt(victim)))
                .isEqualTo(new Outcome.Done("You took node %s back.".formatted(victim)));
        assertThat(world.picture().nodes())
                .filteredOn(node -> node.name().equals(victim))
                .extracting(Node::phase)
                .containsExactly(Phase.INTERRUPTED);
        assertThat(world.carryOut(new Action.Freeze(false))).isInstanceOf(Outcome.Done.class);
        assertThat(after(world, 4).nodes()).noneMatch(node -> node.name().equals(victim));
        assertThat(world.picture().isFrozen()).isFalse();
        assertThat(world.picture().counters().invariantsBroken()).isZero();
    }

    @Test
    void whatCannotBeDoneIsRefusedInWords() {
        var world = DemoWorld.of(2);
        assertThat(world.carryOut(new Action.Interrupt("nobody")))
                .isEqualTo(new Outcome.Refused("There is no node nobody any more."));
        assertThat(world.carryOut(new Action.Scale("nothing", 3)))
                .isInstanceOf(Outcome.Refused.class);
    }
}
