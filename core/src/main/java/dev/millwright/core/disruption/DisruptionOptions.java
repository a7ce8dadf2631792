package dev.millwright.core.disruption;

/// What the operator was told about taking nodes away, beside what pools say.
///
/// `isDriftTerminateFirst` and `isRepairTerminateFirst`: a node whose replacement has no room
/// beside it goes before its replacement comes, rather than stay.
public record DisruptionOptions(
        RepairRules repair, boolean isDriftTerminateFirst, boolean isRepairTerminateFirst) {

    public static final DisruptionOptions NONE =
            new DisruptionOptions(RepairRules.NONE, false, false);
}
