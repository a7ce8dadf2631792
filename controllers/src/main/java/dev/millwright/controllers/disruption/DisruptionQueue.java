package dev.millwright.controllers.disruption;

import dev.millwright.core.cluster.NodeClaim;
import dev.millwright.core.disruption.Candidate;
import dev.millwright.core.disruption.Command;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SequencedMap;
import java.util.TreeMap;

/// Commands under way. A process that dies forgets them: the next one takes back the marks they
/// left on objects.
public final class DisruptionQueue {

    /// A command whose nodes are marked and whose replacements are made, by the names of the
    /// claims.
    public record Entry(String id, Command command, List<String> replacements, Instant startedAt) {
        public Entry {
            replacements = List.copyOf(replacements);
        }
    }

    /// A command that is about to become an [Entry]. Its steps note how far they came.
    static final class Start {
        private final String id;
        private final Command command;
        private final Instant startedAt;
        private final List<Candidate> marked = new ArrayList<>();
        private final List<String> replacements = new ArrayList<>();

        private Start(String id, Command command, Instant startedAt) {
            this.id = id;
            this.command = command;
            this.startedAt = startedAt;
        }

        String id() {
            return id;
        }

        Command command() {
            return command;
        }

        synchronized void marked(Candidate candidate) {
            marked.add(candidate);
        }

        synchronized void replaced(String claim) {
            replacements.add(claim);
        }

        /// The candidates whose node is tainted and whose claim says why, in the command's order.
        synchronized List<Candidate> marked() {
            return command.candidates().stream().filter(marked::contains).toList();
        }

        private synchronized Entry entry() {
            return new Entry(
                    id, command.of(marked()), replacements.stream().sorted().toList(), startedAt);
        }
    }

    private final SequencedMap<String, Start> starts = new TreeMap<>();
    private final SequencedMap<String, Entry> entries = new TreeMap<>();
    private final RebootHistory reboots = new RebootHistory();
    private final MoveHistory moves = new MoveHistory();
    private long number;
    private boolean isVain;

    /// Reboots are not queued; what is known of them is kept here beside what is.
    public RebootHistory reboots() {
        return reboots;
    }

    /// What came of moves that are over.
    MoveHistory moves() {
        return moves;
    }

    static NodeClaim claim(Candidate candidate) {
        var claim = candidate.machine().node().claim();
        if (claim == null) {
            throw new IllegalStateException(
                    "candidate %s has no claim".formatted(candidate.name()));
        }
        return claim;
    }

    synchronized Start begin(Command command, Instant now) {
        number++;
        var id =
                "%s-%d"
                        .formatted(
                                command.method().name().toLowerCase(Locale.ROOT).replace('_', '-'),
                                number);
        var start = new Start(id, command, now);
        starts.put(id, start);
        return start;
    }

    synchronized List<Start> starts() {
        return List.copyOf(starts.values());
    }

    synchronized void abandon(Start start) {
        starts.remove(start.id());
    }

    /// What was begun is under way now, as far as it was marked: these are the nodes. None when all
    /// went meanwhile, or when nothing is to be changed: then nothing came of it.
    synchronized List<Candidate> add(Start start) {
        starts.remove(start.id());
        if (start.marked().isEmpty()) {
            isVain = true;
            return List.of();
        }
        var entry = start.entry();
        entries.put(entry.id(), entry);
        return entry.command().candidates();
    }

    /// Whether nothing came of something that was begun since this was asked last. Who decides the
    /// same again at once would do so for ever.
    synchronized boolean takeVain() {
        var was = isVain;
        isVain = false;
        return was;
    }

    public synchronized @Nullable Entry find(String id) {
        return entries.get(id);
    }

    synchronized void remove(String id) {
        entries.remove(id);
    }

    public synchronized List<Entry> entries() {
        return List.copyOf(entries.values());
    }

    /// Nodes of all commands under way.
    synchronized int nodes() {
        return entries.values().stream().mapToInt(each -> each.command().candidates().size()).sum();
    }

    /// Whether a command about the claim has begun.
    public synchronized boolean holds(String claim) {
        return starts.values().stream().anyMatch(each -> isAbout(each.command(), claim))
                || entries.values().stream().anyMatch(each -> isAbout(each.command(), claim));
    }

    private static boolean isAbout(Command command, String claim) {
        return command.candidates().stream().anyMatch(each -> claim(each).name().equals(claim));
    }

    /// The commands that wait for the claim.
    synchronized List<String> waitingFor(String claim) {
        return entries.values().stream()
                .filter(each -> each.replacements().contains(claim))
                .map(Entry::id)
                .toList();
    }
}
