package dev.millwright.world.story;

import dev.millwright.world.WorldSettings;
import dev.millwright.world.fault.Fault;
import dev.millwright.world.invariant.Breach;
import dev.millwright.world.invariant.EndState;

import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;

/// A setting put to the test: played, and where it is thorough played again to see that the same
/// seed gives the same log, and that restarts of the operator change no outcome.
public record Trial(Setting setting, Ending ending, List<Breach> breaches) {

    public static final String SAME_LOG = "same-log";
    public static final String SAME_OUTCOME = "same-outcome";

    private static final EnumSet<Fault> RESTARTS =
            EnumSet.of(Fault.CRASH, Fault.LEADER_CHANGE, Fault.STALL, Fault.CLOCK_JUMP);

    public Trial {
        breaches = List.copyOf(breaches);
    }

    public static Trial of(Theatre theatre, Setting setting, boolean isThorough) {
        var ending = theatre.play(Scene.of(setting));
        var breaches = new ArrayList<>(ending.breaches());
        if (isThorough) {
            var at = WorldSettings.START.plus(setting.length()).plus(Scene.CALM);
            breaches.addAll(sameLog(ending, theatre.play(Scene.of(setting)), at));
            if (setting.faults().stream().anyMatch(RESTARTS::contains)) {
                breaches.addAll(
                        sameOutcome(ending.calm(), theatre.play(unbroken(setting)).calm(), at));
            }
        }
        return new Trial(setting, ending, breaches);
    }

    private static Scene unbroken(Setting setting) {
        var others = EnumSet.noneOf(Fault.class);
        others.addAll(setting.faults());
        others.removeAll(RESTARTS);
        return Scene.of(setting.with(others));
    }

    static List<Breach> sameLog(Ending one, Ending other, Instant at) {
        return one.digest().equals(other.digest())
                ? List.of()
                : List.of(
                        new Breach(
                                at,
                                SAME_LOG,
                                "the log of %d happenings has digest %s, and of %d happenings %s when played again; wanted the same"
                                        .formatted(
                                                one.happenings(),
                                                one.digest(),
                                                other.happenings(),
                                                other.digest())));
    }

    static List<Breach> sameOutcome(EndState one, EndState other, Instant at) {
        return one.differences(other).stream()
                .map(
                        difference ->
                                new Breach(
                                        at,
                                        SAME_OUTCOME,
                                        "with restarts (one world) and without (the other): "
                                                + difference))
                .toList();
    }

    public boolean isSound() {
        return breaches.isEmpty();
    }
}
