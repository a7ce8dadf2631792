package dev.millwright.cli;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.cluster.Pod;
import dev.millwright.core.cluster.PodState.Owner;
import dev.millwright.core.scheduling.Plan.WaitingPod;
import dev.millwright.kube.snapshot.SnapshotFile;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Pods left waiting: those of one maker with one reason are told together, and the reason ends
/// with what a person can do.
final class WaitingText {

    /// Groups shown before the rest is only counted.
    private static final int GROUPS_MAX = 50;

    private static final String INDENT = "    ";

    private record Group(String maker, String message) {}

    private final Terminal terminal;
    private final PrintWriter out;
    private final Map<ObjectName, Pod> pods = new HashMap<>();

    WaitingText(Terminal terminal, SnapshotFile file) {
        this.terminal = terminal;
        this.out = terminal.out();
        file.problem().snapshot().pods().forEach(pod -> pods.put(pod.name(), pod));
    }

    void print(List<WaitingPod> waiting) {
        var groups = new LinkedHashMap<Group, List<WaitingPod>>();
        for (var pod : waiting) {
            var group = new Group(maker(pod.pod()), pod.reason().explain());
            groups.computeIfAbsent(group, key -> new ArrayList<>()).add(pod);
        }
        var shown = 0;
        for (var entry : groups.entrySet()) {
            if (shown++ == GROUPS_MAX) {
                out.println(
                        "  and %,d groups more; see -o json".formatted(groups.size() - GROUPS_MAX));
                return;
            }
            print(entry.getKey(), entry.getValue());
        }
    }

    private void print(Group group, List<WaitingPod> members) {
        out.println(
                members.size() == 1
                        ? "  pod " + members.getFirst().pod()
                        : "  %,d pods of %s".formatted(members.size(), group.maker()));
        for (var line : WaitingWords.lines(members.getFirst().reason())) {
            wrapped(line);
        }
    }

    private void wrapped(String text) {
        var width = terminal.width() - INDENT.length();
        var line = new StringBuilder();
        for (var word : text.split(" ", -1)) {
            if (!line.isEmpty() && line.length() + 1 + word.length() > width) {
                out.println(INDENT + line);
                line = new StringBuilder("  ");
            }
            line.append(line.isEmpty() || line.toString().isBlank() ? "" : " ").append(word);
        }
        out.println(INDENT + line);
    }

    /// What the pod belongs to, or its own name less a trailing number.
    private String maker(ObjectName name) {
        var pod = pods.get(name);
        var owner =
                pod == null
                        ? null
                        : pod.state().owners().stream()
                                .filter(Owner::isController)
                                .findFirst()
                                .orElse(null);
        return name.namespace()
                + "/"
                + (owner == null
                        ? name.name().replaceFirst("-[0-9]+$", terminal.isUnicode() ? "-…" : "-...")
                        : owner.name());
    }
}
