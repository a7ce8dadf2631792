package dev.millwright.runtime.log;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/// Keeps secrets out of the log, whoever put them into a line: by the key they stand under, and in
/// texts by the shapes that credentials have.
final class Secrets {

    static final String HIDDEN = "(hidden)";

    private static final List<String> KEY_ENDINGS =
            List.of("password", "token", "secret", "credentials", "authorization", "privatekey");

    private static final Pattern BEARER =
            Pattern.compile("(?i)\\b(bearer|basic)\\s+[A-Za-z0-9._~+/=-]{8,}");
    private static final Pattern USER_INFO = Pattern.compile("://[^/@\\s:]+:[^/@\\s]+@");
    private static final Pattern WEB_TOKEN =
            Pattern.compile("\\beyJ[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]*");

    private Secrets() {}

    static boolean isSecret(String key) {
        var plain = key.toLowerCase(Locale.ROOT).replaceAll("[^a-z]", "");
        return KEY_ENDINGS.stream().anyMatch(plain::endsWith);
    }

    static String without(String text) {
        var noBearer = BEARER.matcher(text).replaceAll("$1 " + HIDDEN);
        var noUser = USER_INFO.matcher(noBearer).replaceAll("://" + HIDDEN + "@");
        return WEB_TOKEN.matcher(noUser).replaceAll(HIDDEN);
    }
}
