package dev.millwright.testing.kit.aws.fake;

import dev.millwright.kube.document.JsonWriter;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.document.Value;
import dev.millwright.providers.aws.api.Asked;
import dev.millwright.providers.aws.api.AwsFault;
import dev.millwright.testing.kit.aws.ApiFault;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// Every call of an account goes through here: it is counted, recorded, and carried out unless a
/// fault is meant for it. One call at a time, so that nothing behind it needs a lock.
///
/// A call is sent as often as the clients of [AwsEndpoint#settings] send it.
final class FakeCalls {

    static final int ATTEMPTS_MAX = 3;

    private static final int SERVER_ERRORS = 500;

    private final List<Fault> faults = new ArrayList<>();
    private final SequencedMap<String, Integer> counts = new TreeMap<>();
    private final SequencedMap<String, List<Value.Mapping>> requests = new TreeMap<>();
    private int pageMax;

    /// A fault with what is left of it.
    private static final class Fault {

        private final ApiFault given;
        private final Pattern match;
        private int times;
        private int skip;

        Fault(ApiFault given) {
            this.given = given;
            this.match = Pattern.compile(given.match());
            this.times = given.times();
            this.skip = given.skip();
        }

        boolean isMeantFor(String action, Tree parameters) {
            if (times == 0 || !given.action().equals(action)) {
                return false;
            }
            if (!given.match().isEmpty()
                    && !match.matcher(JsonWriter.text(parameters.mapping())).find()) {
                return false;
            }
            if (skip > 0) {
                skip--;
                return false;
            }
            if (times > 0) {
                times--;
            }
            return true;
        }
    }

    synchronized void fail(ApiFault fault) {
        if (!fault.delay().isZero()) {
            throw new IllegalArgumentException(
                    "%s: the fake answers at once; a test of late answers wants the endpoint"
                            .formatted(fault));
        }
        faults.add(new Fault(fault));
    }

    synchronized void noFaults() {
        faults.clear();
    }

    /// @param items zero for as many as are asked for
    synchronized void pagesOf(int items) {
        pageMax = items;
    }

    synchronized SequencedMap<String, Integer> counts() {
        return new TreeMap<>(counts);
    }

    synchronized List<Value.Mapping> requests(String action) {
        return List.copyOf(requests.getOrDefault(action, List.of()));
    }

    synchronized void forget() {
        counts.clear();
        requests.clear();
    }

    /// As the SDK does: what may pass is sent again.
    synchronized <T> T ask(String action, Tree parameters, Asked.Question<T> work) throws AwsFault {
        for (var attempt = 1; ; attempt++) {
            try {
                return askOnce(action, parameters, work);
            } catch (AwsFault fault) {
                if (attempt == ATTEMPTS_MAX || !fault.isPassing()) {
                    throw fault;
                }
            }
        }
    }

    synchronized void run(String action, Tree parameters, AwsFault.Call work) throws AwsFault {
        ask(
                action,
                parameters,
                () -> {
                    work.run();
                    return true;
                });
    }

    synchronized <T> T askOnce(String action, Tree parameters, Asked.Question<T> work)
            throws AwsFault {
        counts.merge(action, 1, Integer::sum);
        requests.computeIfAbsent(action, _ -> new ArrayList<>()).add(parameters.mapping());
        var fault = faultFor(action, parameters);
        if (fault == null) {
            return work.ask();
        }
        if (fault.drop().equals("before")) {
            throw unanswered(action);
        }
        if (!fault.code().isEmpty()) {
            var isServerSide = fault.status() >= SERVER_ERRORS;
            throw new AwsFault(fault.code(), fault.message(), isServerSide, false);
        }
        var answer = work.ask();
        if (fault.drop().equals("after")) {
            throw unanswered(action);
        }
        return answer;
    }

    /// A list, asked for page by page.
    synchronized <T> List<T> pages(
            String action, Tree parameters, int size, Asked.Question<List<T>> whole)
            throws AwsFault {
        return pagesAsTheyAre(
                action, parameters, pageMax == 0 ? size : Math.min(size, pageMax), whole);
    }

    /// As [#pages], of a service that [#pagesOf] does not bind.
    synchronized <T> List<T> pagesAsTheyAre(
            String action, Tree parameters, int size, Asked.Question<List<T>> whole)
            throws AwsFault {
        var found = new ArrayList<T>();
        int total;
        do {
            var all = ask(action, parameters, whole);
            total = all.size();
            found.addAll(all.subList(found.size(), Math.min(found.size() + size, total)));
        } while (found.size() < total);
        return found;
    }

    private @Nullable ApiFault faultFor(String action, Tree parameters) {
        for (var fault : faults) {
            if (fault.isMeantFor(action, parameters)) {
                return fault.given;
            }
        }
        return null;
    }

    private static AwsFault unanswered(String action) {
        return new AwsFault("Unanswered", action + ": the connection was closed", false, true);
    }
}
