package dev.millwright.cli.demo;

import dev.millwright.dashboard.picture.Picture;
import dev.millwright.dashboard.picture.Picture.Phase;
import dev.millwright.dashboard.terminal.FrameSvg;
import dev.millwright.dashboard.terminal.TerminalView;
import dev.millwright.dashboard.terminal.TerminalView.Screen;

import java.time.Duration;

/// The picture of the demo that documents show: a moment at which the cloud takes nodes back and
/// others are on their way. The same story gives the same picture, to the byte.
public final class StillPicture {

    /// By then the fleet has grown.
    private static final Duration BEFORE = Duration.ofMinutes(18);

    private static final Duration STEP = Duration.ofSeconds(2);

    /// A story without such a moment is shown as it stands then.
    private static final Duration AFTER = Duration.ofMinutes(45);

    private static final Screen SCREEN = new Screen(112, 46, true);

    private static final double SPEED = 60;

    private StillPicture() {}

    public static String of(Show show) {
        var start = show.now();
        show.playUntil(start.plus(BEFORE));
        while (!isEventful(show.picture()) && show.now().isBefore(start.plus(AFTER))) {
            show.playUntil(show.now().plus(STEP));
        }
        var picture = show.picture().withPace(new Picture.Pace(start, show.now(), SPEED, false));
        return FrameSvg.of(
                TerminalView.render(picture, SCREEN), "millwright demo", description(picture));
    }

    private static boolean isEventful(Picture picture) {
        return has(picture, Phase.INTERRUPTED) && has(picture, Phase.STARTING);
    }

    private static boolean has(Picture picture, Phase phase) {
        return picture.nodes().stream().anyMatch(node -> node.phase() == phase);
    }

    private static String description(Picture picture) {
        return "A terminal. At the top: what the fleet costs, $%.2f an hour, and what it could cost at least, $%.2f; %d nodes with %d pods. Then each node as a bar filled with its pods, with type, zone and price; spot nodes are amber, on-demand nodes blue, nodes that the cloud takes back red. Below: the last decisions."
                .formatted(
                        picture.price().perHour(),
                        picture.price().lowerBoundPerHour(),
                        picture.nodes().size(),
                        picture.nodes().stream().mapToInt(node -> node.pods().size()).sum());
    }
}
