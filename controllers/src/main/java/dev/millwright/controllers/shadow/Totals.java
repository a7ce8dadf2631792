package dev.millwright.controllers.shadow;

/// The sum of all comparisons since the process began.
public record Totals(int agreed, int differed, Bill theirs, Bill ours) {

    public static final Totals NONE = new Totals(0, 0, Bill.NONE, Bill.NONE);

    /// A year's hours by twelve.
    private static final double HOURS_PER_MONTH = 730;

    Totals plus(Comparison other) {
        return new Totals(
                agreed + (other.isAgreed() ? 1 : 0),
                differed + (other.isAgreed() ? 0 : 1),
                theirs.plus(other.theirs()),
                ours.plus(other.ours()));
    }

    /// What a month would cost less with our decisions; below zero where it would cost more.
    public double savedPerMonth() {
        return HOURS_PER_MONTH * (theirs.risePerHour() - ours.risePerHour());
    }
}
