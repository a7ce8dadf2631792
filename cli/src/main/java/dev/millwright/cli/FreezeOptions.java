package dev.millwright.cli;

import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// What `freeze` and `unfreeze` are asked for alike, and how they answer.
final class FreezeOptions {

    @Option(
            names = "--nodepool",
            paramLabel = "NAME",
            split = ",",
            description = "A NodePool alone; may be given several times. Else the whole cluster.")
    private List<String> nodePools = List.of();

    @Mixin private ClusterOptions cluster = new ClusterOptions();

    @Mixin private OutputOptions output = new OutputOptions();

    /// One deed on the cluster.
    @FunctionalInterface
    interface Deed {
        List<FreezeSwitch.Switched> on(FreezeSwitch frost, List<String> nodePools)
                throws IOException;
    }

    void carryOut(ClusterDoor door, Terminal terminal, Deed deed) throws IOException {
        try (var api = door.open(cluster.access(terminal))) {
            var frost = new FreezeSwitch(api, terminal::note);
            show(terminal, deed.on(frost, nodePools.stream().distinct().toList()));
        }
        terminal.flush();
    }

    private void show(Terminal terminal, List<FreezeSwitch.Switched> all) {
        switch (output.format()) {
            case TABLE, WIDE -> all.forEach(each -> terminal.out().println(each.words()));
            case JSON -> ResultText.json(result(all), terminal.out());
            case YAML -> ResultText.yaml(result(all), terminal.out());
        }
    }

    private static Map<String, Object> result(List<FreezeSwitch.Switched> all) {
        return Map.of("objects", all.stream().map(FreezeOptions::row).toList());
    }

    private static Map<String, Object> row(FreezeSwitch.Switched switched) {
        var row = new LinkedHashMap<String, Object>();
        row.put("kind", switched.kind());
        row.put("name", switched.name());
        row.put("frozen", switched.isFrozen());
        row.put("changed", switched.isChanged());
        if (switched.isFrozen()) {
            row.put("reason", switched.reason());
        }
        return row;
    }
}
