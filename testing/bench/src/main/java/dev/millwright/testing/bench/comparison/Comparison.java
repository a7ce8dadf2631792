package dev.millwright.testing.bench.comparison;

import dev.millwright.core.policy.SchedulingPolicy.Packing;
import dev.millwright.testing.bench.problem.BenchProblem;
import dev.millwright.testing.bench.problem.ProblemKind;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Measures us and the peer on the same problems, one after another and never two at once.
///
/// The page of the documentation is written again unless the run is quick; problems that take the
/// peer minutes are given to it when the run is full, or when it has solved them before.
public final class Comparison {

    private static final List<String> QUICK =
            List.of(
                    "diverse-1000-fake400",
                    "diverse-5000-fake400",
                    "diverse-1000-awslikeod",
                    "randsize-2000-fake400");

    private static final List<String> NORMAL =
            List.of(
                    "diverse-1000-fake400",
                    "diverse-2000-fake400",
                    "diverse-5000-fake400",
                    "diverse-10000-fake400",
                    "diverse-50000-fake400",
                    "diverse-1000-awslikeod",
                    "diverse-5000-awslikeod",
                    "diverse-10000-awslikeod",
                    "generic-2000-awslikeod",
                    "generic-10000-awslikeod",
                    "generic-50000-awslikeod",
                    "randsize-2000-fake400",
                    "randsize-10000-fake400",
                    "randsize-50000-fake400",
                    "diverse-1000-ec2",
                    "preferring-4000-fake400");

    private static final int PEER_PODS_MAX = 10_000;

    private static final String PREFERRING = "preferring-4000-fake400";
    private static final double PREFERRING_MILLIS_MAX = 500;

    private static final String SEARCHED = "diverse-5000-fake400";
    private static final double SEARCHED_MILLIS_MAX = 5_000;

    private static final String LARGEST = "diverse-50000-ec2";
    private static final double LARGEST_MEGABYTES_MAX = 1L << 10;
    private static final double BYTES_PER_MEBIBYTE = 1L << 20;

    /// How much time there is: two minutes, ten, or an hour.
    public enum Mode {
        QUICK,
        NORMAL,
        FULL
    }

    private final Mode mode;
    private final Path target;
    private final OwnProgram own;
    private final PeerProgram peer;

    public Comparison(Mode mode, Path target, Path peerBinary) {
        this.mode = mode;
        this.target = target;
        this.own = new OwnProgram(mode == Mode.QUICK);
        this.peer = new PeerProgram(peerBinary, target.resolve("peer"));
    }

    /// Measures all and reports on standard output, in `report.json` of the target folder and in
    /// the documentation.
    public void run(String peerVersion, Path docs, List<Path> given)
            throws IOException, InterruptedException {
        var circumstances = Circumstances.now(peerVersion);
        var rows = rows(given);
        var report = new Report(circumstances, rows, Growth.of(rows), limits(rows));
        show(report);
        Files.writeString(target.resolve("report.json"), ReportJson.text(report));
        if (mode != Mode.QUICK) {
            Files.createDirectories(docs.resolve("images"));
            Files.writeString(
                    docs.resolve("images").resolve("benchmarks.svg"),
                    new ReportPlot(report).text());
            ReportPage.write(docs.resolve("benchmarks.md"), report);
        }
    }

    /// A problem's name by its file.
    static String name(Path file) {
        return file.getFileName().toString().replaceFirst("\\.json(\\.gz)?$", "");
    }

    private List<Row> rows(List<Path> given) throws IOException, InterruptedException {
        var rows = new ArrayList<Row>();
        for (var name : mode == Mode.QUICK ? QUICK : NORMAL) {
            var problem = BenchProblem.parse(name);
            var file = problem.write(target.resolve("problems"));
            rows.add(row(file, false, isQuickForPeer(problem) || mode == Mode.FULL));
        }
        for (var file : given) {
            rows.add(row(file, true, true));
        }
        return rows;
    }

    /// Giving up wishes one by one takes the peer minutes, like large problems.
    private static boolean isQuickForPeer(BenchProblem problem) {
        return problem.pods() <= PEER_PODS_MAX && problem.kind() != ProblemKind.PREFERRING;
    }

    private Row row(Path file, boolean isGiven, boolean isForPeer)
            throws IOException, InterruptedException {
        var name = name(file);
        progress(name + ": first fit");
        var firstFit = own.measure(Packing.FIRST_FIT, file.toString());
        progress(name + ": cheapest");
        var cheapest = own.measure(Packing.CHEAPEST, file.toString());
        progress(name + ": peer");
        var other = isForPeer ? peer.measure(file) : peer.known(file);
        return new Row(name, isGiven, firstFit, cheapest, other);
    }

    private List<Limit> limits(List<Row> rows) throws InterruptedException {
        var limits = new ArrayList<Limit>();
        var preferring = find(rows, PREFERRING);
        if (preferring != null) {
            limits.add(
                    new Limit(
                            "4,000 pods with wishes, first fit, CPU time when warm",
                            "ms",
                            PREFERRING_MILLIS_MAX,
                            preferring.firstFit().cpuMillis()));
            limits.add(
                    new Limit(
                            "4,000 pods with wishes, first fit, first plan of a JVM, on the clock",
                            "ms",
                            PREFERRING_MILLIS_MAX,
                            preferring.firstFit().coldWallMillis()));
        }
        var searched = find(rows, SEARCHED);
        if (searched != null) {
            limits.add(
                    new Limit(
                            "5,000 diverse pods, cheapest, first plan of a JVM, on the clock",
                            "ms",
                            SEARCHED_MILLIS_MAX,
                            searched.cheapest().coldWallMillis()));
        }
        progress(LARGEST + ": first fit");
        var largest = own.measure(Packing.FIRST_FIT, LARGEST);
        limits.add(
                new Limit(
                        "%s diverse pods on %s EC2 types with all labels, first fit, peak heap"
                                .formatted(
                                        Rounded.count(largest.pods()),
                                        Rounded.count(largest.types())),
                        "MiB",
                        LARGEST_MEGABYTES_MAX,
                        largest.peakHeapBytes() / BYTES_PER_MEBIBYTE));
        return limits;
    }

    private static @Nullable Row find(List<Row> rows, String name) {
        for (var row : rows) {
            if (!row.isGiven() && row.name().equals(name)) {
                return row;
            }
        }
        return null;
    }

    private static void show(Report report) {
        var tables = new ReportTables(report);
        System.out.println(tables.whole().text());
        System.out.println("order of growth of CPU time (power of the number of pods)");
        System.out.println(tables.growth().text());
        System.out.println(tables.limits().text());
        System.out.println("what falls short");
        report.shortfalls().forEach(each -> System.out.println("- " + each));
    }

    private static void progress(String step) {
        System.err.println("bench: " + step);
    }
}
