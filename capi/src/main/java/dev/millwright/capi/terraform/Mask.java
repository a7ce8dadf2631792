package dev.millwright.capi.terraform;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/// Takes secrets out of texts: those it was told, with the values inside them, and all that has the
/// shape of one.
final class Mask {

    private static final String HIDDEN = "(hidden)";

    /// Shorter ones are no secrets, and hiding them would hide everything.
    private static final int LENGTH_MIN = 4;

    private static final Set<String> WORDS = Set.of("true", "false", "null", "none", "default");

    private static final Pattern QUOTED = Pattern.compile("\"((?:[^\"\\\\]|\\\\.)*)\"");
    private static final Pattern ASSIGNED = Pattern.compile("(?m)^[^=:\\n]{1,200}[=:]\\s*(.+)$");

    private static final List<Pattern> SHAPES =
            List.of(
                    Pattern.compile("\\b(?:AKIA|ASIA)[A-Z0-9]{12,}\\b"),
                    Pattern.compile("\\beyJ[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]*"),
                    Pattern.compile("(?i)(?<=\\b(?:bearer|basic) )[A-Za-z0-9._~+/=-]{8,}"),
                    Pattern.compile("(?<=://)[^/@\\s:]{1,200}:[^/@\\s]{1,200}(?=@)"),
                    Pattern.compile("\\bk8s-aws-v1\\.[A-Za-z0-9_-]+"),
                    Pattern.compile(
                            "-----BEGIN [A-Z ]*PRIVATE KEY-----[\\s\\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)"),
                    Pattern.compile(
                            "(?i)(?<=(?:password|secret|token|secret_key|secretkey)[\"']{0,1} {0,2}[=:] {0,2})[\"']?[^\\s\"',]{4,}[\"']?"));

    private final List<String> secrets;

    /// Longest first, so that no part of one is left.
    private Mask(List<String> secrets) {
        this.secrets = secrets;
    }

    static Mask of(List<String> told) {
        var all =
                new TreeSet<>(
                        Comparator.comparingInt(String::length)
                                .reversed()
                                .thenComparing(Comparator.naturalOrder()));
        for (var text : told) {
            add(all, text);
            text.lines().forEach(line -> add(all, line));
            addMatches(all, QUOTED, text);
            addMatches(all, ASSIGNED, text);
        }
        return new Mask(new ArrayList<>(all));
    }

    private static void addMatches(Set<String> all, Pattern pattern, String text) {
        var matcher = pattern.matcher(text);
        while (matcher.find()) {
            add(all, String.valueOf(matcher.group(1)));
        }
    }

    private static void add(Set<String> all, String text) {
        var plain = text.strip();
        if (plain.length() >= LENGTH_MIN && !WORDS.contains(plain)) {
            all.add(plain);
        }
    }

    String without(String text) {
        var masked = text;
        for (var secret : secrets) {
            masked = masked.replace(secret, HIDDEN);
        }
        for (var shape : SHAPES) {
            masked = shape.matcher(masked).replaceAll(HIDDEN);
        }
        return masked;
    }
}
