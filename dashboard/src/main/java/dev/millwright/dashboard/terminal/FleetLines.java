package dev.millwright.dashboard.terminal;

import dev.millwright.dashboard.picture.Picture;
import dev.millwright.dashboard.picture.Picture.CapacityType;
import dev.millwright.dashboard.picture.Picture.Node;
import dev.millwright.dashboard.picture.Picture.Phase;
import dev.millwright.dashboard.picture.Picture.Pod;
import dev.millwright.dashboard.terminal.Frame.Ink;
import dev.millwright.dashboard.terminal.Frame.Line;
import dev.millwright.dashboard.terminal.Frame.Pen;
import dev.millwright.dashboard.terminal.TerminalView.Screen;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// The nodes as bars filled with pods: one a line with words while that fits, else several a line
/// without.
final class FleetLines {

    private static final int BAR_MIN = 12;
    private static final int BAR_MAX = 60;
    private static final int WORDS_WIDTH = 60;
    private static final int TYPE_WIDTH = 17;
    private static final int ZONE_WIDTH = 11;
    private static final int PRICE_WIDTH = 9;
    private static final int MEDIUM_BAR = 18;
    private static final int MEDIUM_WIDTH = MEDIUM_BAR + 4 + 7 + TYPE_WIDTH + PRICE_WIDTH;
    private static final int SMALL_BAR = 10;
    private static final int SMALL_WIDTH = SMALL_BAR + 4;
    private static final double PERCENT = 100;

    private final Picture picture;
    private final Screen screen;
    private final Glyphs glyphs;
    private final ViewState state;

    FleetLines(Picture picture, Screen screen, Glyphs glyphs, ViewState state) {
        this.picture = picture;
        this.screen = screen;
        this.glyphs = glyphs;
        this.state = state;
    }

    /// Adds at most `room` lines.
    void add(List<Line> lines, int room) {
        var nodes = state.order().sorted(picture.nodes());
        if (nodes.isEmpty()) {
            lines.add(pen().write("No node yet.", Ink.FAINT).line());
        } else if (nodes.size() <= room) {
            nodes.forEach(node -> lines.add(line(node)));
        } else {
            var perLine = screen.width() / MEDIUM_WIDTH;
            if (nodes.size() <= perLine * room) {
                beside(lines, nodes, perLine, this::medium, room);
            } else {
                beside(lines, nodes, screen.width() / SMALL_WIDTH, this::small, room);
            }
        }
    }

    private Pen pen() {
        return new Pen(screen.width());
    }

    private Line line(Node node) {
        var machine = node.machine();
        var ink = ink(node);
        var pen = pen().write(letter(node) + " ", ink);
        var width = Math.clamp(screen.width() - WORDS_WIDTH, BAR_MIN, BAR_MAX);
        bar(pen, node, width, ink);
        pen.write(" %3.0f%%  ".formatted(PERCENT * node.fill()));
        pen.write(padded(machine.type(), TYPE_WIDTH))
                .write(padded(machine.zone(), ZONE_WIDTH), Ink.FAINT)
                .write(padded(" $" + Figures.price(machine.pricePerHour()), PRICE_WIDTH));
        var phase = glyphs.phase(node.phase());
        if (!phase.isEmpty()) {
            pen.write("  " + phase, node.phase() == Phase.INTERRUPTED ? Ink.ALARM : Ink.STRONG);
        }
        return pen.line();
    }

    /// Several nodes side by side; what does not fit is counted.
    private void beside(List<Line> lines, List<Node> nodes, int perLine, Cell cell, int room) {
        var isAll = nodes.size() <= perLine * room;
        var shown = isAll ? nodes.size() : perLine * Math.max(0, room - 1);
        var first = Math.min(state.rowsSkipped() * perLine, nodes.size() - shown);
        for (var from = first; from < first + shown; from += perLine) {
            var pen = pen();
            for (var node : nodes.subList(from, Math.min(first + shown, from + perLine))) {
                cell.write(pen, node);
            }
            lines.add(pen.line());
        }
        if (!isAll) {
            lines.add(pen().write(more(nodes.size() - shown, first), Ink.FAINT).line());
        }
    }

    private String more(int hidden, int above) {
        return state.hasKeys()
                ? "and %,d nodes more, %,d of them above; up and down show them"
                        .formatted(hidden, above)
                : "and %,d nodes more; the page shows them all".formatted(hidden);
    }

    /// One node among several on a line.
    @FunctionalInterface
    private interface Cell {
        void write(Pen pen, Node node);
    }

    private void medium(Pen pen, Node node) {
        var ink = ink(node);
        pen.write(letter(node) + " ", ink);
        bar(pen, node, MEDIUM_BAR, ink);
        pen.write(" %3.0f%%  ".formatted(PERCENT * node.fill()))
                .write(padded(node.machine().type(), TYPE_WIDTH))
                .write(padded("$" + Figures.price(node.machine().pricePerHour()), PRICE_WIDTH));
    }

    private void small(Pen pen, Node node) {
        var ink = ink(node);
        pen.write(letter(node), ink);
        bar(pen, node, SMALL_BAR, ink);
        pen.write(" ");
    }

    /// Each pod takes cells by its share; one that is smaller than a cell may take none.
    private void bar(Pen pen, Node node, int cells, Ink ink) {
        pen.write(glyphs.edge(), Ink.FAINT);
        var pods =
                node.pods().stream()
                        .sorted(Comparator.comparing(Pod::owner).thenComparing(Pod::name))
                        .toList();
        var shares = shares(node, pods);
        var sum = shares.stream().mapToDouble(Double::doubleValue).sum();
        var scale = sum <= 0 ? 0 : Math.min(1, node.fill()) * cells / sum;
        var filled = 0;
        var bricks = 0;
        var until = 0.0;
        var text = new StringBuilder();
        for (var share : shares) {
            until += share * scale;
            var to = Math.min(cells, (int) Math.round(until));
            if (to > filled) {
                text.append(glyphs.brick(bricks++).repeat(to - filled));
                filled = to;
            }
        }
        pen.write(text.toString(), ink);
        pen.write(glyphs.free().repeat(cells - filled), Ink.FAINT);
        pen.write(glyphs.edge(), Ink.FAINT);
    }

    private static List<Double> shares(Node node, List<Pod> pods) {
        var shares = new ArrayList<Double>();
        for (var pod : pods) {
            var cpu = (double) pod.cpuMillis() / Math.max(1, node.cpuMillis().total());
            var memory = (double) pod.memoryBytes() / Math.max(1, node.memoryBytes().total());
            shares.add(Math.max(cpu, memory));
        }
        return shares;
    }

    /// What becomes of the node outweighs how it was bought.
    private static String letter(Node node) {
        return switch (node.phase()) {
            case INTERRUPTED -> "!";
            case DRAINING -> "-";
            case LAUNCHING, STARTING -> "+";
            case READY -> String.valueOf(node.machine().capacityType().letter());
        };
    }

    private static Ink ink(Node node) {
        return node.phase() == Phase.INTERRUPTED ? Ink.ALARM : ink(node.machine().capacityType());
    }

    private static Ink ink(CapacityType type) {
        return switch (type) {
            case ON_DEMAND -> Ink.ON_DEMAND;
            case SPOT -> Ink.SPOT;
            case RESERVED -> Ink.RESERVED;
        };
    }

    private static String padded(String text, int width) {
        return text.length() >= width ? text : text + " ".repeat(width - text.length());
    }
}
