package dev.millwright.testing.bench.differential;

import dev.millwright.testing.kit.generator.Document;
import dev.millwright.testing.kit.generator.PlainJson;
import dev.millwright.testing.kit.generator.Shrinker;
import dev.millwright.testing.kit.generator.SnapshotWriter;
import dev.millwright.testing.kit.generator.Worlds;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// A range of seeds, one after another: judge, doubt, shrink, write down, sum up.
public final class DifferentialRun {

    private static final int PROGRESS_EVERY = 50;

    /// How often the peer is asked for each of the thousands of documents on the way to a small
    /// one.
    private static final int SHRINK_REPEATS = 16;

    private final DifferentialSettings settings;
    private final PrintStream out;
    private final PrintStream progress;
    private final Map<Difference.Kind, List<Long>> byKind = new EnumMap<>(Difference.Kind.class);
    private final Map<String, Integer> known = new TreeMap<>();
    private int solved;
    private int agreed;
    private int sameNodes;
    private int peerFailures;
    private int shrinks;
    private double ourFirstFit;
    private double ourCheapest;
    private double peerLeast;

    public DifferentialRun(DifferentialSettings settings, PrintStream out, PrintStream progress) {
        this.settings = settings;
        this.out = out;
        this.progress = progress;
    }

    /// Whether all seeds agree but for known differences.
    public boolean run() throws IOException {
        Files.createDirectories(settings.output());
        try (var peer = new PeerProcess(settings.peer(), settings.repeats());
                var patientPeer = new PeerProcess(settings.peer(), settings.repeatsWhenInDoubt())) {
            for (var seed = settings.seedFrom(); seed < settings.seedTo(); seed++) {
                judge(seed, peer, patientPeer);
                if ((seed + 1 - settings.seedFrom()) % PROGRESS_EVERY == 0) {
                    progress.printf(
                            "differential: %d of %d seeds, %d agree, %d disagree%n",
                            seed + 1 - settings.seedFrom(),
                            settings.seedTo() - settings.seedFrom(),
                            agreed,
                            disagreements());
                }
            }
        }
        return summarize();
    }

    private void judge(long seed, PeerProcess peer, PeerProcess patientPeer) throws IOException {
        var document = Worlds.document(seed, settings.size());
        var judgement = Judge.judge(document, peer);
        if (!judgement.differences().isEmpty()) {
            judgement = Judge.judge(document, patientPeer);
        }
        solved++;
        if (judgement.peer().failure() != null) {
            peerFailures++;
            progress.printf(
                    "differential: seed %d: the peer failed: %s%n",
                    seed, judgement.peer().failure());
        }
        if (judgement.isSameNodes()) {
            sameNodes++;
        }
        var verdict = judgement;
        if (verdict.differences().isEmpty()) {
            agreed++;
            count(verdict);
            return;
        }
        var explanation =
                KnownDifference.ALL.stream()
                        .filter(each -> each.explains().test(verdict))
                        .findFirst()
                        .orElse(null);
        if (explanation != null) {
            known.merge(explanation.name(), 1, Integer::sum);
            return;
        }
        for (var difference : verdict.differences()) {
            byKind.computeIfAbsent(difference.kind(), kind -> new ArrayList<>()).add(seed);
            progress.printf(
                    "differential: seed %d: %s: %s%n", seed, difference.kind(), difference.text());
        }
        write(seed, document, verdict, patientPeer);
    }

    private void count(Judgement judgement) {
        var firstFit = judgement.firstFit();
        var cheapest = judgement.cheapest();
        if (firstFit != null && cheapest != null && firstFit.waiting().equals(cheapest.waiting())) {
            ourFirstFit += firstFit.plan().pricePerHour();
            ourCheapest += cheapest.plan().pricePerHour();
            peerLeast += judgement.peer().priceMin();
        }
    }

    private void write(long seed, Document document, Judgement judgement, PeerProcess peer)
            throws IOException {
        var smallest = document;
        if (shrinks < settings.shrinksMax()) {
            shrinks++;
            smallest = shrunk(document, judgement.differences().getFirst().kind());
        }
        var last = Judge.judge(smallest, peer);
        var report = new LinkedHashMap<String, Object>();
        report.put("seed", seed);
        report.put("size", settings.size());
        report.put(
                "differences",
                last.differences().stream()
                        .map(difference -> difference.kind() + ": " + difference.text())
                        .toList());
        var firstFit = last.firstFit();
        if (firstFit != null) {
            report.put("ours", firstFit.toTree());
        }
        var cheapest = last.cheapest();
        if (cheapest != null && last.differsIn(Difference.Kind.CHEAPEST_PRICE)) {
            report.put("oursCheapest", cheapest.toTree());
        }
        report.put("peer", last.peer().raw());
        report.put("document", smallest.root());
        Files.writeString(settings.output().resolve(seed + ".json"), PlainJson.text(report, true));
        Files.writeString(
                settings.output().resolve(seed + ".snapshot.json"),
                SnapshotWriter.indented(smallest));
    }

    private Document shrunk(Document document, Difference.Kind kind) {
        try (var peer = new PeerProcess(settings.peer(), SHRINK_REPEATS)) {
            return Shrinker.shrink(document, each -> isUnknown(Judge.judge(each, peer), kind));
        }
    }

    private static boolean isUnknown(Judgement judgement, Difference.Kind kind) {
        return judgement.differsIn(kind)
                && judgement.peer().failure() == null
                && KnownDifference.ALL.stream().noneMatch(each -> each.explains().test(judgement));
    }

    private int disagreements() {
        return solved - agreed - known.values().stream().mapToInt(Integer::intValue).sum();
    }

    private boolean summarize() throws IOException {
        var knownCount = known.values().stream().mapToInt(Integer::intValue).sum();
        out.printf(
                "seeds                  %8d  (%d..%d, up to %d pods)%n",
                solved, settings.seedFrom(), settings.seedTo(), settings.size());
        out.printf("agree                  %8d%n", agreed);
        out.printf("  with the same nodes  %8d%n", sameNodes);
        out.printf("known differences      %8d  %s%n", knownCount, known);
        out.printf("disagree               %8d%n", disagreements());
        byKind.forEach((kind, seeds) -> out.printf("  %-20s %8d  %s%n", kind, seeds.size(), seeds));
        out.printf("the peer failed        %8d%n", peerFailures);
        out.printf(
                "price per hour         %8.2f first fit, %.2f cheapest, %.2f the peer's least%n",
                ourFirstFit, ourCheapest, peerLeast);
        var summary = new LinkedHashMap<String, Object>();
        summary.put("seedFrom", settings.seedFrom());
        summary.put("seedTo", settings.seedTo());
        summary.put("size", settings.size());
        summary.put("agree", agreed);
        summary.put("sameNodes", sameNodes);
        summary.put("known", known);
        summary.put("disagree", disagreements());
        var kinds = new LinkedHashMap<String, Object>();
        byKind.forEach((kind, seeds) -> kinds.put(kind.name(), seeds));
        summary.put("disagreements", kinds);
        summary.put("peerFailures", peerFailures);
        summary.put("firstFitPerHour", ourFirstFit);
        summary.put("cheapestPerHour", ourCheapest);
        summary.put("peerPerHour", peerLeast);
        Files.writeString(settings.output().resolve("summary.json"), PlainJson.text(summary, true));
        return disagreements() == 0;
    }
}
