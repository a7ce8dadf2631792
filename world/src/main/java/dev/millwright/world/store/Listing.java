package dev.millwright.world.store;

import dev.millwright.kube.client.KubeApi.ListAnswer;
import dev.millwright.kube.client.KubeApi.ListQuery;
import dev.millwright.kube.document.Value;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/// Lists page by page. All pages of a list are of the version of its first.
final class Listing {

    /// Lists that wait for their next page; the oldest is forgotten beyond that, and answers 410.
    private static final int WAITING_MAX = 64;

    private record Rest(List<Value.Mapping> items, String version) {}

    private final SequencedMap<String, Rest> waiting = new LinkedHashMap<>();
    private long tokens;

    /// No list begun before goes on.
    void forget() {
        waiting.clear();
    }

    ListAnswer first(Collection<Value.Mapping> items, long version, int limit) {
        return page(new Rest(List.copyOf(items), Long.toString(version)), limit);
    }

    ListAnswer next(ListQuery query) {
        var rest = waiting.get(query.continueToken());
        return rest == null
                ? new ListAnswer.Expired(
                        "The provided continue parameter is too old to display a consistent list"
                                + " result. You can start a new list without the continue"
                                + " parameter.")
                : page(rest, query.limit());
    }

    private ListAnswer page(Rest rest, int limit) {
        if (limit <= 0 || rest.items().size() <= limit) {
            return new ListAnswer.Page(rest.items(), rest.version(), "");
        }
        var token = "page-" + ++tokens;
        var left = new ArrayList<>(rest.items().subList(limit, rest.items().size()));
        waiting.putLast(token, new Rest(List.copyOf(left), rest.version()));
        if (waiting.size() > WAITING_MAX) {
            waiting.pollFirstEntry();
        }
        return new ListAnswer.Page(rest.items().subList(0, limit), rest.version(), token);
    }
}
