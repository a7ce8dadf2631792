package dev.millwright.providers.aws.controllers.capacityreservation;

import dev.millwright.controllers.nodeclaim.ClaimDeletion;
import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.kube.object.NodeClassObject;
import dev.millwright.providers.aws.controllers.Classes;
import dev.millwright.providers.aws.network.CapacityReservations;
import dev.millwright.runtime.log.LogLevel;
import dev.millwright.runtime.step.Effect;
import dev.millwright.runtime.step.Singleton;
import dev.millwright.runtime.step.Step;
import dev.millwright.spi.ec2.Ec2Labels;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Set;
import java.util.TreeSet;

/// Deletes the claims of a capacity block shortly before its end, so that their pods may leave
/// before EC2 takes the instances away.
public final class ExpirationController implements Singleton {

    private static final Duration PERIOD = Duration.ofMinutes(1);

    /// Claims that are deleted at the same time.
    private static final int DELETES_AT_ONCE = 20;

    private static final String REASON = "capacity_reservation_expiration";

    private final Kind<NodeClassObject> kind;

    public ExpirationController(Kind<NodeClassObject> kind) {
        this.kind = kind;
    }

    @Override
    public String name() {
        return "capacityreservation.expiration";
    }

    @Override
    public Step step(View view, ObjectName key, Instant now) {
        var expiring = expiring(view, now);
        var steps = new ArrayList<Step>();
        for (var claim : view.claims()) {
            if (!claim.isDeleting()
                    && view.isManaged(claim.spec().nodeClassRef())
                    && expiring.contains(claim.meta().label(Ec2Labels.RESERVATION_ID))) {
                steps.add(deletion(view, claim));
            }
        }
        return steps.isEmpty()
                ? Step.again(PERIOD)
                : Step.of(new Effect.Together(steps, DELETES_AT_ONCE)).thenAgain(PERIOD);
    }

    /// By the end that the classes' statuses tell, which does not change as the end nears.
    private Set<String> expiring(View view, Instant now) {
        var ids = new TreeSet<String>();
        for (var nodeClass : Classes.in(view, kind)) {
            for (var reservation : nodeClass.status().capacityReservations()) {
                if (CapacityReservations.isExpiring(
                        reservation.type(), reservation.endTime(), now)) {
                    ids.add(reservation.id());
                }
            }
        }
        return ids;
    }

    private static Step deletion(View view, ClaimObject claim) {
        return Step.of(
                new Effect.Say(
                        LogLevel.INFO,
                        "capacity block ends soon, deleting its node",
                        "NodeClaim",
                        claim.name().name(),
                        "reservation",
                        claim.meta().label(Ec2Labels.RESERVATION_ID)),
                ClaimDeletion.withPods(REASON, claim, view));
    }
}
