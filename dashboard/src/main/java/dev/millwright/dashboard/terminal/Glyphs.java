package dev.millwright.dashboard.terminal;

import dev.millwright.dashboard.picture.Picture.Kind;
import dev.millwright.dashboard.picture.Picture.Phase;

/// The characters a view is drawn with: blocks, or what every terminal has.
enum Glyphs {
    BLOCKS("▁▂▃▄▅▆▇█", "█▓", "·", "×", "│"),
    ASCII("_.-=+*#@", "#%", ".", "x", "|");

    private final String levels;
    private final String bricks;
    private final String free;
    private final String times;
    private final String edge;

    Glyphs(String levels, String bricks, String free, String times, String edge) {
        this.levels = levels;
        this.bricks = bricks;
        this.free = free;
        this.times = times;
        this.edge = edge;
    }

    /// From low to high.
    String levels() {
        return levels;
    }

    /// Pods side by side take turns, so that each is seen.
    String brick(int number) {
        var at = Math.floorMod(number, bricks.length());
        return bricks.substring(at, at + 1);
    }

    String free() {
        return free;
    }

    String times() {
        return times;
    }

    String edge() {
        return edge;
    }

    String sign(Kind kind) {
        return switch (kind) {
            case LAUNCH -> "+";
            case REMOVE -> "-";
            case INTERRUPT -> "!";
            case FAILURE -> "x";
            case WORKLOAD -> "~";
            case VISITOR -> ">";
        };
    }

    String phase(Phase phase) {
        return switch (phase) {
            case LAUNCHING -> "launching";
            case STARTING -> "starting";
            case READY -> "";
            case DRAINING -> "draining";
            case INTERRUPTED -> "taken back";
        };
    }
}
