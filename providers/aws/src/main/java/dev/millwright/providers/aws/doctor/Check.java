package dev.millwright.providers.aws.doctor;

import java.util.List;

/// One thing that was looked at.
///
/// @param name a word that stays the same
/// @param found what is there, for a person
/// @param fix commands that put it right; empty when there is nothing to be put right
public record Check(String name, State state, String found, List<String> fix) {

    public enum State {
        OK,

        /// The operator does not work, or not wholly, before this is fixed.
        FIX,

        /// We could not look, or looking tells nothing yet.
        UNKNOWN,

        /// Looking needs what an earlier check found missing.
        SKIPPED
    }

    public Check {
        fix = List.copyOf(fix);
    }

    static Check ok(String name, String found) {
        return new Check(name, State.OK, found, List.of());
    }

    static Check fix(String name, String found, String... commands) {
        return new Check(name, State.FIX, found, List.of(commands));
    }

    public static Check skipped(String name, String why) {
        return new Check(name, State.SKIPPED, why, List.of());
    }

    static Check unknown(String name, String found, String... commands) {
        return new Check(name, State.UNKNOWN, found, List.of(commands));
    }
}
