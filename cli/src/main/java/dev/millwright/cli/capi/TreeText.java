package dev.millwright.cli.capi;

import dev.millwright.capi.tree.Standing;
import dev.millwright.capi.tree.Standing.State;
import dev.millwright.capi.tree.TreeNode;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Shows a cluster's tree: as rows of a table, or as maps and lists to be written.
public final class TreeText {

    /// Resources of a Workspace that a narrow table shows; trouble is always shown.
    private static final int RESOURCES_MAX = 8;

    /// Characters of a message in a narrow table.
    private static final int MESSAGE_MAX = 72;

    /// What the other end can show.
    public record Look(boolean isWide, boolean isUnicode, boolean isColoured) {}

    /// The cells of a table's row: name, state, reason, age, message.
    public record Row(String name, String state, String reason, String age, String message) {}

    private final Look look;
    private final Instant now;
    private final List<Row> rows = new ArrayList<>();

    private TreeText(Look look, Instant now) {
        this.look = look;
        this.now = now;
    }

    public static List<Row> rows(TreeNode tree, Look look, Instant now) {
        var text = new TreeText(look, now);
        text.add(tree, "", "");
        return text.rows;
    }

    private void add(TreeNode node, String before, String below) {
        rows.add(
                new Row(
                        before + title(node),
                        state(node.standing().state()),
                        node.standing().reason(),
                        age(node.createdAt(), now),
                        message(node.standing())));
        var children = shown(node.children());
        for (var index = 0; index < children.size(); index++) {
            var isLast = index == children.size() - 1;
            add(
                    children.get(index),
                    below + (isLast ? glyph("└─ ", "`- ") : glyph("├─ ", "|- ")),
                    below + (isLast ? "   " : glyph("│  ", "|  ")));
        }
    }

    private String glyph(String unicode, String plain) {
        return look.isUnicode() ? unicode : plain;
    }

    private static String title(TreeNode node) {
        return node.role().isEmpty()
                ? node.title()
                : "%s (%s)".formatted(node.title(), node.role());
    }

    /// A line says how many resources are left out.
    private List<TreeNode> shown(List<TreeNode> children) {
        var quiet =
                children.stream()
                        .filter(TreeNode::isResource)
                        .filter(each -> each.standing().equals(quiet()))
                        .toList();
        if (look.isWide() || quiet.size() <= RESOURCES_MAX) {
            return children;
        }
        var hidden = quiet.subList(RESOURCES_MAX, quiet.size());
        var shown = new ArrayList<>(children);
        shown.removeAll(hidden);
        shown.add(
                new TreeNode(
                        "",
                        TreeNode.RESOURCE,
                        "",
                        "%d more; -o wide shows them".formatted(hidden.size()),
                        quiet(),
                        null,
                        List.of()));
        return shown;
    }

    private static Standing quiet() {
        return new Standing(State.PRESENT, "", "", "");
    }

    private String state(State state) {
        if (state == State.PRESENT) {
            return "";
        }
        var text = symbol(state) + " " + state.word();
        return look.isColoured() ? "\u001b[%dm%s\u001b[0m".formatted(colour(state), text) : text;
    }

    private String symbol(State state) {
        return switch (state) {
            case READY -> glyph("✓", "+");
            case RUNNING -> glyph("▸", ">");
            case WAITING, DELETING, PAUSED -> glyph("…", "~");
            case FAILED, MISSING, TAINTED -> glyph("✗", "x");
            case PRESENT -> "";
        };
    }

    private static int colour(State state) {
        return switch (state) {
            case READY -> 32;
            case RUNNING -> 36;
            case WAITING, DELETING, PAUSED -> 33;
            case FAILED, MISSING, TAINTED -> 31;
            case PRESENT -> 0;
        };
    }

    private String message(Standing standing) {
        var error = oneLine(standing.message());
        if (standing.progress().isEmpty()) {
            return shortened(error);
        }
        var progress = oneLine(standing.progress());
        return error.isEmpty()
                ? shortened(progress)
                : shortened(progress) + "; last error: " + shortened(error);
    }

    public static String oneLine(String text) {
        return text.replaceAll("[\\s\\p{Cntrl}]+", " ").strip();
    }

    private String shortened(String text) {
        return look.isWide() || text.length() <= MESSAGE_MAX
                ? text
                : text.substring(0, MESSAGE_MAX - 1).stripTrailing() + glyph("…", "...");
    }

    /// As kubectl shows it, in one unit.
    public static String age(@Nullable Instant createdAt, Instant now) {
        if (createdAt == null || createdAt.equals(Instant.EPOCH)) {
            return "";
        }
        var age = Duration.between(createdAt, now);
        if (age.compareTo(Duration.ofMinutes(2)) < 0) {
            return Math.max(0, age.toSeconds()) + "s";
        }
        if (age.compareTo(Duration.ofHours(3)) < 0) {
            return age.toMinutes() + "m";
        }
        return age.compareTo(Duration.ofDays(2)) < 0 ? age.toHours() + "h" : age.toDays() + "d";
    }

    /// Whole, whatever a table would leave out.
    public static Map<String, @Nullable Object> result(TreeNode node) {
        var result = new LinkedHashMap<String, @Nullable Object>();
        result.put("kind", node.kind());
        put(result, "namespace", node.namespace());
        result.put("name", node.name());
        put(result, "role", node.role());
        put(result, "state", node.standing().state().word());
        put(result, "reason", node.standing().reason());
        put(result, "message", node.standing().message());
        put(result, "progress", node.standing().progress());
        if (node.createdAt() != null) {
            result.put("createdAt", node.createdAt().toString());
        }
        result.put("children", node.children().stream().map(TreeText::result).toList());
        return result;
    }

    private static void put(Map<String, @Nullable Object> result, String key, String text) {
        if (!text.isEmpty()) {
            result.put(key, text);
        }
    }
}
