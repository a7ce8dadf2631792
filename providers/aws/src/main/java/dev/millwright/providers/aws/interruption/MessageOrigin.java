package dev.millwright.providers.aws.interruption;

import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.regex.Pattern;

/// The account and the region in which something happened. Each is empty where it is unknown.
record MessageOrigin(String account, String region) {

    static final MessageOrigin UNKNOWN = new MessageOrigin("", "");

    private static final Pattern ACCOUNT = Pattern.compile("[0-9]{12}");

    /// Where a queue is: its address names the account.
    static MessageOrigin ofQueue(String url, String region) {
        return new MessageOrigin(account(url), region);
    }

    private static String account(String url) {
        try {
            var path = new URI(url).getPath();
            var parts = path == null ? new String[0] : path.split("/", -1);
            return parts.length > 1 && ACCOUNT.matcher(parts[1]).matches() ? parts[1] : "";
        } catch (URISyntaxException none) {
            return "";
        }
    }

    static MessageOrigin of(@Nullable String account, @Nullable String region) {
        return new MessageOrigin(account == null ? "" : account, region == null ? "" : region);
    }

    /// Whether both say so, and say something else.
    boolean isForeignTo(MessageOrigin home) {
        return differ(account, home.account) || differ(region, home.region);
    }

    private static boolean differ(String one, String other) {
        return !one.isEmpty() && !other.isEmpty() && !one.equals(other);
    }
}
