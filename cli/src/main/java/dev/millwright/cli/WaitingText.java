package dev.millwright.cli;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.cluster.Pod;
import dev.millwright.core.cluster.PodState.Owner;
import dev.millwright.core.scheduling.Plan.WaitingPod;
import dev.millwright.core.scheduling.SchedulingProblem;
import dev.millwright.kube.snapshot.SnapshotFile;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// Pods left waiting: those with one reason are told together, by their makers, and the reason ends
/// with what was found to help.
final class WaitingText {

    /// Groups shown before the rest is only counted.
    private static final int GROUPS_MAX = 50;

    private static final String INDENT = "    ";

    /// Makers of one group that are named.
    private static final int MAKERS_MAX = 5;

    private final Terminal terminal;
    private final PrintWriter out;
    private final SchedulingProblem problem;
    private final TriedAdvice advice;
    private final Map<ObjectName, Pod> pods = new HashMap<>();

    WaitingText(Terminal terminal, SnapshotFile file) {
        this.terminal = terminal;
        this.out = terminal.out();
        this.problem = file.problem();
        this.advice = new TriedAdvice(problem, System::nanoTime);
        problem.snapshot().pods().forEach(pod -> pods.put(pod.name(), pod));
    }

    void print(List<WaitingPod> waiting) {
        var words = new WaitingWords(problem);
        var groups = new LinkedHashMap<List<String>, List<WaitingPod>>();
        for (var pod : waiting) {
            groups.computeIfAbsent(words.lines(pod.reason()), _ -> new ArrayList<>()).add(pod);
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

    private void print(List<String> lines, List<WaitingPod> members) {
        var first = members.getFirst().pod();
        out.println(
                PlainWriter.oneLine(
                        members.size() == 1
                                ? "  pod " + first
                                : "  %,d pods of %s".formatted(members.size(), makers(members))));
        lines.forEach(this::wrapped);
        advice.of(
                        members.stream()
                                .map(each -> pods.get(each.pod()))
                                .filter(Objects::nonNull)
                                .toList())
                .forEach(this::wrapped);
    }

    private String makers(List<WaitingPod> members) {
        var makers = members.stream().map(each -> maker(each.pod())).distinct().toList();
        var shown = String.join(", ", makers.stream().limit(MAKERS_MAX).toList());
        return makers.size() <= MAKERS_MAX
                ? shown
                : "%s and %,d more".formatted(shown, makers.size() - MAKERS_MAX);
    }

    private void wrapped(String text) {
        var width = terminal.width() - INDENT.length();
        var line = new StringBuilder();
        for (var word : PlainWriter.oneLine(text).split(" ", -1)) {
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
