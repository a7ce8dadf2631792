package dev.millwright.world.scenario;

import dev.millwright.kube.client.ResourceType;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;

/// All that users do in a world, in the order of time. Lines at zero are what is there at the
/// start.
public record Script(List<Line> lines) {

    public Script {
        lines = lines.stream().sorted(Comparator.comparing(Line::at)).toList();
    }

    /// The same, and at this moment users delete all that they have created: first what runs, then
    /// the pools.
    public Script destroyedAt(Duration end) {
        var left = new LinkedHashMap<String, Line>();
        for (var line : lines) {
            switch (line.deed()) {
                case Deed.Create create -> left.put(key(create), deletion(end, create));
                case Deed.Delete(var type, var name) -> left.remove(type + " " + name);
                case Deed.Change _, Deed.DeleteNode _, Deed.Publish _ -> {}
            }
        }
        var all =
                new ArrayList<>(
                        lines.stream().filter(line -> line.at().compareTo(end) < 0).toList());
        left.values().stream()
                .filter(Script::isMortal)
                .sorted(Comparator.comparing(Script::isPool))
                .forEach(all::add);
        return new Script(all);
    }

    private static String key(Deed.Create create) {
        return create.type() + " " + Manifests.nameOf(create);
    }

    private static Line deletion(Duration at, Deed.Create create) {
        var name = Manifests.nameOf(create);
        return new Line(
                at,
                new Deed.Delete(create.type(), name),
                "deletes %s %s".formatted(create.type().kind(), Manifests.inWords(name)));
    }

    /// Classes of nodes and volumes stay: what is left of nodes still needs them.
    private static boolean isMortal(Line line) {
        return line.deed() instanceof Deed.Delete(var type, _)
                && !type.equals(Manifests.NODE_CLASS)
                && !type.equals(ResourceType.STORAGE_CLASS);
    }

    private static boolean isPool(Line line) {
        return line.deed() instanceof Deed.Delete(var type, _)
                && type.equals(ResourceType.NODE_POOL);
    }

    /// The same with only some of its lines.
    public Script with(List<Line> some) {
        return new Script(some);
    }
}
