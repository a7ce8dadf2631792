package dev.millwright.dashboard.picture;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;

/// The pictures of a fleet that lives, as far back as memory allows: when there are too many every
/// other one is dropped and new ones are taken half as often.
///
/// Nodes that did not change are the same objects from picture to picture, so that each costs
/// little more than what changed.
public final class Lookback implements Reel {

    public static final int PICTURES_MAX = 240;

    private final List<Picture> pictures = new ArrayList<>();
    private Duration step;

    /// The step is what lies at least between two pictures, until there are too many.
    public Lookback(Duration step) {
        this.step = step;
    }

    /// Takes the picture, unless the last one is too near.
    public synchronized void add(Picture picture) {
        var now = picture.pace().now();
        if (!pictures.isEmpty() && now.isBefore(pictures.getLast().pace().now().plus(step))) {
            return;
        }
        if (pictures.size() >= PICTURES_MAX) {
            for (var index = pictures.size() - 1; index > 0; index -= 2) {
                pictures.remove(index);
            }
            step = step.multipliedBy(2);
        }
        pictures.add(pictures.isEmpty() ? picture : shared(pictures.getLast(), picture));
    }

    private static Picture shared(Picture before, Picture after) {
        var known = new HashMap<String, Picture.Node>();
        before.nodes().forEach(node -> known.put(node.name(), node));
        var nodes =
                after.nodes().stream()
                        .map(
                                node -> {
                                    var old = known.get(node.name());
                                    return node.equals(old) ? old : node;
                                })
                        .toList();
        return new Picture(
                after.title(),
                after.pace(),
                after.isFrozen(),
                nodes,
                after.workload(),
                after.price(),
                after.counters(),
                after.decisions(),
                after.upcoming());
    }

    @Override
    public synchronized int length() {
        return pictures.size();
    }

    @Override
    public synchronized Instant at(int index) {
        return picture(index).pace().now();
    }

    /// One that was dropped meanwhile is the nearest that is left.
    @Override
    public synchronized Picture picture(int index) {
        return pictures.get(Math.min(index, pictures.size() - 1));
    }
}
