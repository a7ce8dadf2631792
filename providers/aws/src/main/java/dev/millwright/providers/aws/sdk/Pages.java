package dev.millwright.providers.aws.sdk;

import dev.millwright.providers.aws.api.AwsFault;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/// Reads a list to its end.
final class Pages {

    /// A service that always has another page is broken; it must not take the process with it.
    static final int PAGES_MAX = 2_000;

    private Pages() {}

    /// @param page asks for the page behind a token, null for the first
    static <A, T> List<T> all(
            Function<@Nullable String, A> page,
            Function<A, List<T>> items,
            Function<A, @Nullable String> token)
            throws AwsFault {
        var found = new ArrayList<T>();
        String next = null;
        for (var count = 0; count < PAGES_MAX; count++) {
            var asked = next;
            var answer = Translation.ask(() -> page.apply(asked));
            found.addAll(items.apply(answer));
            next = token.apply(answer);
            if (next == null || next.isEmpty()) {
                return found;
            }
        }
        throw AwsFault.refused("PagesWithoutEnd", "gave up after %d pages".formatted(PAGES_MAX));
    }
}
