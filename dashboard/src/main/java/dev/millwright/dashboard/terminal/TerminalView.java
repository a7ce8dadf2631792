package dev.millwright.dashboard.terminal;

import dev.millwright.dashboard.picture.Picture;
import dev.millwright.dashboard.picture.Picture.CapacityType;
import dev.millwright.dashboard.picture.Picture.Kind;
import dev.millwright.dashboard.picture.Picture.WaitingPod;
import dev.millwright.dashboard.terminal.Frame.Ink;
import dev.millwright.dashboard.terminal.Frame.Line;
import dev.millwright.dashboard.terminal.Frame.Pen;

import java.time.Duration;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;

/// A picture as a screen of text. A pure function: the same picture and screen, the same lines.
///
/// From top to bottom: figures, price over time, the nodes as bars filled with pods, pods that wait
/// and why, the last decisions. What does not fit is counted, never cut off silently.
public final class TerminalView {

    /// How large the screen is, and whether it can show more than ASCII.
    public record Screen(int width, int height, boolean isUnicode) {
        public static final int WIDTH_MIN = 40;
        public static final int HEIGHT_MIN = 12;

        public Screen {
            width = Math.max(WIDTH_MIN, width);
            height = Math.max(HEIGHT_MIN, height);
        }
    }

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);

    private static final int WAITING_LINES_MAX = 4;
    private static final int DECISION_LINES_MIN = 6;
    private static final int FIGURE_LINES = 4;
    private static final double PERCENT = 100;

    private static final List<String> HELP =
            List.of(
                    "q           quit",
                    "space       let time stand still, or go on",
                    "left right  let time run half or twice as fast",
                    "up down     scroll the nodes, where not all fit",
                    "s           next order of nodes: age, price, fill, type, zone",
                    "l           show what letters and bars mean",
                    "?           show or hide this");

    private final Picture picture;
    private final Screen screen;
    private final ViewState state;
    private final Glyphs glyphs;
    private final List<Line> lines = new ArrayList<>();

    private TerminalView(Picture picture, Screen screen, ViewState state) {
        this.picture = picture;
        this.screen = screen;
        this.state = state;
        this.glyphs = screen.isUnicode() ? Glyphs.BLOCKS : Glyphs.ASCII;
    }

    public static Frame render(Picture picture, Screen screen) {
        return render(picture, screen, ViewState.STILL);
    }

    public static Frame render(Picture picture, Screen screen, ViewState state) {
        return new TerminalView(picture, screen, state).frame();
    }

    private Frame frame() {
        var waiting = waitingLines();
        // Heads of three parts and the empty lines between them.
        var heads = 1 + (waiting.isEmpty() ? 0 : 2) + 2;
        var height = screen.height() - (state.hasKeys() ? 1 : 0);
        var told = told();
        var free = height - FIGURE_LINES - heads - waiting.size() - told.size();
        var decisions = Math.min(DECISION_LINES_MIN, free / 3);
        figures();
        blank();
        told.forEach(line -> add(pen().write("  " + line, Ink.FAINT)));
        new FleetLines(picture, screen, glyphs, state).add(lines, Math.max(1, free - decisions));
        if (!waiting.isEmpty()) {
            blank();
            add(pen().write("Waiting, and why", Ink.STRONG));
            lines.addAll(waiting);
        }
        var left = height - lines.size() - 2;
        if (left > 0) {
            blank();
            add(pen().write("Decisions", Ink.STRONG));
            decisions(left);
        }
        var shown = new ArrayList<>(lines.subList(0, Math.min(lines.size(), height)));
        if (state.hasKeys()) {
            while (shown.size() < height) {
                shown.add(pen().line());
            }
            shown.add(pen().write(keys(), Ink.FAINT).line());
        }
        return new Frame(screen.width(), shown);
    }

    private String keys() {
        return "q quit  space %s  s order: %s  l legend  ? keys"
                .formatted(picture.pace().isPaused() ? "go on" : "pause", state.order().word());
    }

    /// What was asked to be explained.
    private List<String> told() {
        var told = new ArrayList<String>();
        if (state.isHelpShown()) {
            told.addAll(HELP);
        }
        if (state.isLegendShown() || state.isHelpShown()) {
            told.add(
                    "S spot  O on demand  R reserved  + on its way  - being drained  ! taken back");
            told.add(
                    "a bar is a node, %s and %s are pods by the resource of which they take more, %s is free"
                            .formatted(glyphs.brick(0), glyphs.brick(1), glyphs.free()));
        }
        if (!told.isEmpty()) {
            told.add("");
        }
        return told;
    }

    private Pen pen() {
        return new Pen(screen.width());
    }

    private void add(Pen pen) {
        lines.add(pen.line());
    }

    private void blank() {
        add(pen());
    }

    private void figures() {
        var pace = picture.pace();
        var state = (pace.isPaused() ? "  paused" : "") + (picture.isFrozen() ? "  frozen" : "");
        add(
                pen().write("millwright", Ink.STRONG)
                        .write("  " + picture.title(), Ink.FAINT)
                        .write(state, Ink.ALARM)
                        .right(
                                "%s  %s%s".formatted(clock(), speed(pace.speed()), glyphs.times()),
                                Ink.FAINT));
        price();
        var nodes = picture.nodes();
        var spot =
                nodes.stream()
                        .filter(node -> node.machine().capacityType() == CapacityType.SPOT)
                        .count();
        var pods = nodes.stream().mapToInt(node -> node.pods().size()).sum();
        var waits = picture.workload().waiting().size();
        add(
                pen().write("%,d".formatted(nodes.size()), Ink.STRONG)
                        .write(nodes.size() == 1 ? " node (" : " nodes (")
                        .write("S", Ink.SPOT)
                        .write(" %,d spot, ".formatted(spot))
                        .write("O", Ink.ON_DEMAND)
                        .write(" %,d other)  ".formatted(nodes.size() - spot))
                        .write("%,d".formatted(pods), Ink.STRONG)
                        .write(pods == 1 ? " pod running  " : " pods running  ")
                        .write("%,d".formatted(waits), waits > 0 ? Ink.ALARM : Ink.STRONG)
                        .write(" waiting"));
        var counters = picture.counters();
        add(
                pen().write(
                                "%,d launched, %,d removed, %,d taken back by the cloud, %,d evictions"
                                        .formatted(
                                                counters.nodesLaunched(),
                                                counters.nodesTerminated(),
                                                counters.interruptions(),
                                                counters.evictions()),
                                Ink.FAINT));
    }

    private void price() {
        var price = picture.price();
        var pen =
                pen().write("$%s".formatted(Figures.price(price.perHour())), Ink.PRICE)
                        .write(" an hour");
        if (price.lowerBoundPerHour() > 0) {
            pen.write("  lower bound $%s".formatted(Figures.price(price.lowerBoundPerHour())));
            if (price.perHour() > 0) {
                pen.write(
                        "  gap %.0f%%"
                                .formatted(
                                        PERCENT
                                                * (price.perHour() / price.lowerBoundPerHour()
                                                        - 1)));
            }
        }
        pen.write("  ");
        pen.write(Sparkline.of(price.history(), pen.room(), glyphs), Ink.PRICE);
        add(pen);
    }

    private String clock() {
        var pace = picture.pace();
        var days =
                Duration.between(pace.startedAt().truncatedTo(ChronoUnit.DAYS), pace.now())
                        .toDays();
        return "day %d %s".formatted(days + 1, TIME.format(pace.now()));
    }

    private static String speed(double speed) {
        return speed == Math.rint(speed) ? "%.0f".formatted(speed) : "%.1f".formatted(speed);
    }

    /// Pods of one owner with one reason share a line.
    private List<Line> waitingLines() {
        var groups = new LinkedHashMap<String, List<WaitingPod>>();
        for (var waiting : picture.workload().waiting()) {
            groups.computeIfAbsent(
                            waiting.pod().owner() + "\n" + waiting.reason(), _ -> new ArrayList<>())
                    .add(waiting);
        }
        var made = new ArrayList<Line>();
        for (var group : groups.values()) {
            if (made.size() == WAITING_LINES_MAX - 1 && groups.size() > WAITING_LINES_MAX) {
                made.add(
                        pen().write(
                                        "  and %,d groups more"
                                                .formatted(groups.size() - made.size()),
                                        Ink.FAINT)
                                .line());
                break;
            }
            var first = group.getFirst();
            made.add(
                    pen().write("  %,4d".formatted(group.size()), Ink.ALARM)
                            .write(" " + first.pod().owner() + "  ", Ink.STRONG)
                            .write(first.reason(), Ink.FAINT)
                            .line());
        }
        return made;
    }

    private void decisions(int room) {
        var all = picture.decisions();
        for (var index = all.size() - 1; index >= Math.max(0, all.size() - room); index--) {
            var decision = all.get(index);
            add(
                    pen().write("  " + TIME.format(decision.at()) + " ", Ink.FAINT)
                            .write(glyphs.sign(decision.kind()) + " ", ink(decision.kind()))
                            .write(decision.text()));
        }
    }

    private static Ink ink(Kind kind) {
        return switch (kind) {
            case LAUNCH -> Ink.PRICE;
            case REMOVE, WORKLOAD -> Ink.FAINT;
            case INTERRUPT, FAILURE -> Ink.ALARM;
            case VISITOR -> Ink.STRONG;
        };
    }
}
