package dev.millwright.world.cloud;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.providers.sim.cloud.SimCloud;
import dev.millwright.providers.sim.cloud.SimEvent;
import dev.millwright.providers.sim.cloud.SimSettings;
import dev.millwright.providers.sim.cloud.Timed;
import dev.millwright.spi.DriftAnswer;
import dev.millwright.spi.FindAnswer;
import dev.millwright.spi.LaunchAnswer;
import dev.millwright.spi.ListAnswer;
import dev.millwright.spi.Machine;
import dev.millwright.spi.MachineClaim;
import dev.millwright.spi.Notice;
import dev.millwright.spi.TerminateAnswer;
import dev.millwright.world.happening.Happening;
import dev.millwright.world.happening.Witness;
import dev.millwright.world.time.Agenda;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;

/// The way to the simulated cloud. What a call does is done when it is made; its caller sees the
/// answer at the moment that comes with it, if it still lives.
public final class CloudLine {

    private final SimCloud cloud;
    private final Agenda agenda;
    private final Witness witness;
    private final Consumer<SimEvent> events;
    private Agenda.@Nullable Booking next;
    private @Nullable Instant nextAt;

    /// `events` plays what happens to machines: kubelets that join and die.
    public CloudLine(SimCloud cloud, Agenda agenda, Witness witness, Consumer<SimEvent> events) {
        this.cloud = cloud;
        this.agenda = agenda;
        this.witness = witness;
        this.events = events;
        look();
    }

    public Timed<LaunchAnswer> launch(String by, MachineClaim claim) {
        return told(by, "launch", claim.name(), claim.uid(), cloud.launch(claim, now()));
    }

    public Timed<TerminateAnswer> terminate(String by, MachineClaim claim) {
        return told(by, "terminate", claim.name(), claim.uid(), cloud.terminate(claim, now()));
    }

    public Timed<FindAnswer> find(String by, String providerId) {
        return told(by, "find", providerId, "", cloud.find(providerId, now()));
    }

    public Timed<ListAnswer> list(String by) {
        return told(by, "list", "", "", cloud.list(now()));
    }

    public DriftAnswer drift(MachineClaim claim) {
        return cloud.drift(claim, now());
    }

    public List<InstanceType> catalog() {
        return cloud.catalog(now());
    }

    public List<Notice> notices() {
        return cloud.notices(now());
    }

    /// What really runs and costs money.
    public List<Machine> truth() {
        return cloud.truth(now());
    }

    public boolean interrupt(String providerId) {
        var isTaken = cloud.interrupt(providerId, now());
        look();
        return isTaken;
    }

    /// Machines launched from now on run this image; the others have drifted.
    public void publish(String image) {
        cloud.publish(image);
    }

    public void change(SimSettings settings) {
        cloud.change(settings, now());
        look();
    }

    private Instant now() {
        return agenda.instant();
    }

    private <A> Timed<A> told(String by, String call, String claim, String uid, Timed<A> timed) {
        witness.saw(new Happening.Asked(now(), by, call, claim, uid, summary(timed.answer())));
        look();
        return timed;
    }

    /// Lists are long; what matters of them is how many.
    private static String summary(Object answer) {
        return switch (answer) {
            case ListAnswer.Machines(var machines) -> machines.size() + " machines";
            case LaunchAnswer.Launched(var machine) -> "launched " + machine.providerId();
            case FindAnswer.Found(var machine) -> "found " + machine.providerId();
            default -> answer.toString();
        };
    }

    /// Tells what happened, and books the next look.
    private void look() {
        for (var event : cloud.advance(now())) {
            tell(event);
        }
        var at = cloud.nextEventAt();
        if (at == null || at.equals(nextAt)) {
            return;
        }
        if (next != null) {
            next.cancel();
        }
        nextAt = at;
        next =
                agenda.at(
                        at,
                        () -> {
                            nextAt = null;
                            look();
                        });
    }

    private void tell(SimEvent event) {
        switch (event) {
            case SimEvent.Started(var at, var machine, var claim) ->
                    witness.saw(new Happening.Started(at, machine, claim));
            case SimEvent.Noticed(var at, var id, var endsAt) ->
                    witness.saw(new Happening.Noticed(at, id, endsAt));
            case SimEvent.Stopped(var at, var id, var cause) ->
                    witness.saw(new Happening.Stopped(at, id, cause.name()));
            case SimEvent.Joined _ -> {}
        }
        events.accept(event);
    }
}
