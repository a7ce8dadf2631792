package dev.millwright.testing.bench.fleet;

import dev.millwright.testing.bench.comparison.Grid;
import dev.millwright.testing.bench.comparison.JsonLine;
import dev.millwright.testing.bench.comparison.Rounded;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/// What a reader sees of the rows.
record FleetTables(List<FleetRow> rows) {

    /// What was promised.
    private static final double TIMES_FASTER_MIN = 20;

    private static final String LARGEST = "dense-1000";
    private static final double LARGEST_MILLIS_MAX = 2_000;

    /// A smaller difference in price is rounding.
    private static final double CENT = 0.005;

    FleetTables {
        rows = List.copyOf(rows);
    }

    /// The first decision about the fleet as it stands.
    Grid first() {
        return time(
                row ->
                        new Times(
                                FleetRow.first(row.wholeFleet()),
                                FleetRow.first(row.nodeByNode()),
                                FleetRow.first(row.peer()),
                                row.peer().isTrue("firstTimedOut")));
    }

    /// The decision that finds nothing more.
    Grid last() {
        return time(
                row ->
                        new Times(
                                FleetRow.last(row.wholeFleet()),
                                FleetRow.last(row.nodeByNode()),
                                row.isPeerCut() ? Double.NaN : FleetRow.last(row.peer()),
                                row.peer().isTrue("timedOut")));
    }

    /// `isLonger`: the peer gave up before it had looked at all.
    private record Times(double wholeFleet, double nodeByNode, double peer, boolean isLonger) {

        String peers(double value, int digits) {
            return Double.isNaN(peer)
                    ? Rounded.NONE
                    : (isLonger ? ">" : "") + Rounded.down(value, digits);
        }
    }

    private Grid time(Function<FleetRow, Times> times) {
        return new Grid(
                List.of(
                        "fleet",
                        "whole fleet CPU ms",
                        "node by node CPU ms",
                        "peer CPU ms",
                        "peer ÷ whole fleet",
                        "peer ÷ node by node"),
                rows.stream().map(row -> cells(row.name(), times.apply(row))).toList());
    }

    private static List<String> cells(String name, Times times) {
        return List.of(
                name,
                Rounded.up(times.wholeFleet(), 0),
                Rounded.up(times.nodeByNode(), 0),
                times.peers(times.peer(), 0),
                times.peers(times.peer() / times.wholeFleet(), 1),
                times.peers(times.peer() / times.nodeByNode(), 1));
    }

    Grid end() {
        return new Grid(
                List.of(
                        "fleet",
                        "pods",
                        "before $/h",
                        "whole fleet $/h",
                        "node by node $/h",
                        "peer $/h",
                        "whole fleet ÷ peer",
                        "whole fleet pods moved",
                        "node by node pods moved",
                        "peer pods moved",
                        "whole fleet decisions",
                        "node by node decisions",
                        "peer decisions"),
                rows.stream().map(FleetTables::end).toList());
    }

    private static List<String> end(FleetRow row) {
        var mark = row.isPeerUnfinished() ? "*" : "";
        return List.of(
                row.name(),
                Rounded.count((long) row.wholeFleet().number("pods")),
                Rounded.nearest(row.wholeFleet().number("pricePerHour"), 2),
                Rounded.nearest(FleetRow.finalPrice(row.wholeFleet()), 2),
                Rounded.nearest(FleetRow.finalPrice(row.nodeByNode()), 2),
                Rounded.nearest(FleetRow.finalPrice(row.peer()), 2) + mark,
                Rounded.up(
                        FleetRow.finalPrice(row.wholeFleet()) / FleetRow.finalPrice(row.peer()), 3),
                moved(row.wholeFleet()),
                moved(row.nodeByNode()),
                moved(row.peer()) + mark,
                Rounded.count(row.wholeFleet().count("passes")),
                Rounded.count(row.nodeByNode().count("passes")),
                Rounded.count(row.peer().count("passes")) + mark);
    }

    private static String moved(JsonLine any) {
        return Rounded.count((long) any.at("final").number("podsMoved"));
    }

    List<String> shortfalls() {
        var found = new ArrayList<String>();
        for (var row : rows) {
            var first = FleetRow.first(row.peer());
            slow(
                    row.name(),
                    "the first decision",
                    "whole fleet",
                    first,
                    FleetRow.first(row.wholeFleet()),
                    found);
            slow(
                    row.name(),
                    "the first decision",
                    "node by node",
                    first,
                    FleetRow.first(row.nodeByNode()),
                    found);
            if (!row.isPeerCut()) {
                var last = FleetRow.last(row.peer());
                slow(
                        row.name(),
                        "the last decision",
                        "whole fleet",
                        last,
                        FleetRow.last(row.wholeFleet()),
                        found);
                slow(
                        row.name(),
                        "the last decision",
                        "node by node",
                        last,
                        FleetRow.last(row.nodeByNode()),
                        found);
            }
            largest(row.name(), "whole fleet", row.wholeFleet(), found);
            largest(row.name(), "node by node", row.nodeByNode(), found);
            dear(row.name(), "whole fleet", row.wholeFleet(), row.peer(), found);
            dear(row.name(), "node by node", row.nodeByNode(), row.peer(), found);
        }
        return found;
    }

    private static void slow(
            String fleet,
            String which,
            String method,
            double peer,
            double ours,
            List<String> found) {
        if (peer / ours < TIMES_FASTER_MIN) {
            found.add(
                    "%s, %s: %s takes the peer %s times our CPU time; promised %s."
                            .formatted(
                                    fleet,
                                    method,
                                    which,
                                    Rounded.down(peer / ours, 1),
                                    Rounded.count((long) TIMES_FASTER_MIN)));
        }
    }

    private static void largest(String fleet, String method, JsonLine ours, List<String> found) {
        var millis = Math.max(FleetRow.first(ours), FleetRow.last(ours));
        if (fleet.equals(LARGEST) && millis > LARGEST_MILLIS_MAX) {
            found.add(
                    "%s, %s: a decision takes %s ms; promised %s."
                            .formatted(
                                    fleet,
                                    method,
                                    Rounded.up(millis, 0),
                                    Rounded.count((long) LARGEST_MILLIS_MAX)));
        }
    }

    private static void dear(
            String fleet, String method, JsonLine ours, JsonLine peer, List<String> found) {
        if (FleetRow.finalPrice(ours) > FleetRow.finalPrice(peer) + CENT) {
            found.add(
                    "%s, %s: the fleet ends at %s $/h, the peer's at %s."
                            .formatted(
                                    fleet,
                                    method,
                                    Rounded.nearest(FleetRow.finalPrice(ours), 2),
                                    Rounded.nearest(FleetRow.finalPrice(peer), 2)));
        }
    }
}
