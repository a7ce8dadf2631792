package dev.millwright.providers.sim.cloud;

import static dev.millwright.providers.sim.cloud.Script.NOON;
import static dev.millwright.providers.sim.cloud.Script.claim;
import static dev.millwright.providers.sim.cloud.Script.ofMachine;
import static dev.millwright.providers.sim.cloud.Script.openClaim;
import static dev.millwright.providers.sim.cloud.Script.spotClaim;
import static dev.millwright.providers.sim.cloud.Script.wish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.catalog.Offering;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.providers.sim.NodeClassState;
import dev.millwright.providers.sim.cloud.SimEvent.Cause;
import dev.millwright.providers.sim.cloud.SimSettings.ApiFaults;
import dev.millwright.providers.sim.cloud.SimSettings.Capacity;
import dev.millwright.providers.sim.cloud.SimSettings.CapacityRule;
import dev.millwright.providers.sim.cloud.SimSettings.Interruptions;
import dev.millwright.providers.sim.cloud.SimSettings.Mishaps;
import dev.millwright.providers.sim.cloud.SimSettings.Throttle;
import dev.millwright.providers.sim.cloud.SimSettings.Timing;
import dev.millwright.spi.DriftAnswer;
import dev.millwright.spi.FindAnswer;
import dev.millwright.spi.LaunchAnswer;
import dev.millwright.spi.Machine;
import dev.millwright.spi.Notice;
import dev.millwright.spi.TerminateAnswer;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;

final class SimCloudTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    @Test
    void theCheapestOfferingThatWouldDoIsBought() {
        var script = new Script(SimSettings.DEFAULT);

        var machine = script.launched(openClaim("a"));

        assertThat(machine.labels())
                .containsEntry(LabelKeys.INSTANCE_TYPE, "c-1x-amd64-linux")
                .containsEntry(LabelKeys.CAPACITY_TYPE, "spot")
                .containsEntry(LabelKeys.ZONE, "test-zone-a");
    }

    @Test
    void onDemandIsBoughtBeforeADearerSpotOffering() {
        var script = new Script(SimSettings.DEFAULT);
        // Spot of two cpus costs more than one cpu on demand.
        var claim =
                claim(
                        "a",
                        "",
                        wish(LabelKeys.INSTANCE_TYPE, "c-1x-amd64-linux", "c-2x-amd64-linux"));
        var spotIsOut = new CapacityRule("c-1x-*", "*", "spot", 0, false);
        script.cloud.change(SimSettings.DEFAULT.with(only(spotIsOut)), NOON);

        assertThat(script.launched(claim).labels())
                .containsEntry(LabelKeys.CAPACITY_TYPE, "on-demand")
                .containsEntry(LabelKeys.INSTANCE_TYPE, "c-1x-amd64-linux");
    }

    @Test
    void theAnswerComesLaterThanTheMachine() {
        var script = new Script(with(Delay.always(MINUTE), Delay.NONE, Delay.NONE, Delay.NONE));

        var answer = script.launch(claim("a"));

        assertThat(answer.at()).isEqualTo(NOON.plus(MINUTE));
        assertThat(script.cloud.truth(NOON)).hasSize(1);
    }

    @Test
    void aMachineWhoseAnswerWasLostIsFoundByItsUid() {
        var faulty = SimSettings.DEFAULT.with(SimApi.LAUNCH, new ApiFaults(null, 0, 1));
        var script = new Script(faulty);
        assertThat(script.launch(claim("a")).answer()).isInstanceOf(LaunchAnswer.Failed.class);
        var there = script.cloud.truth(NOON);

        script.cloud.change(SimSettings.DEFAULT, NOON);
        var machine = script.launched(claim("a"));

        assertThat(there).extracting(Machine::providerId).containsExactly(machine.providerId());
        assertThat(script.cloud.truth(NOON)).hasSize(1);
    }

    @Test
    void aMachineNobodyHeardOfCanBeTerminatedByItsUid() {
        var faulty = SimSettings.DEFAULT.with(SimApi.LAUNCH, new ApiFaults(null, 0, 1));
        var script = new Script(faulty);
        script.launch(claim("a"));

        script.cloud.terminate(claim("a"), NOON);

        assertThat(script.cloud.truth(NOON)).isEmpty();
    }

    @Test
    void aTerminationWhoseAnswerWasLostTookPlace() {
        var faulty = SimSettings.DEFAULT.with(SimApi.TERMINATE, new ApiFaults(null, 0, 1));
        var script = new Script(faulty);
        var machine = script.launched(claim("a"));

        var answer = script.cloud.terminate(ofMachine("a", machine), NOON).answer();

        assertThat(answer).isInstanceOf(TerminateAnswer.Failed.class);
        assertThat(script.cloud.truth(NOON)).isEmpty();
    }

    @Test
    void anErrorHasNoEffect() {
        var faulty = SimSettings.DEFAULT.with(SimApi.LAUNCH, new ApiFaults(null, 1, 0));
        var script = new Script(faulty);

        assertThat(script.launch(claim("a")).answer()).isInstanceOf(LaunchAnswer.Refused.class);
        assertThat(script.cloud.truth(NOON)).isEmpty();
    }

    @Test
    void anOfferingRunsOutAndRecovers() {
        var script = new Script(SimSettings.DEFAULT.with(only(rule(2, true))));
        script.launched(claim("a"));
        script.launched(claim("b"));

        assertThat(script.launch(claim("c")).answer())
                .isInstanceOf(LaunchAnswer.InsufficientCapacity.class);
        script.pass(Duration.ofMinutes(10));
        assertThat(script.launch(claim("c")).answer()).isInstanceOf(LaunchAnswer.Launched.class);
    }

    @Test
    void anOfferingThatDoesNotRecoverHasRoomForWhatWasTerminated() {
        var script = new Script(SimSettings.DEFAULT.with(only(rule(1, false))));
        var machine = script.launched(claim("a"));
        script.launch(claim("b"));
        script.pass(Duration.ofMinutes(10));
        assertThat(script.launch(claim("b")).answer())
                .isInstanceOf(LaunchAnswer.InsufficientCapacity.class);

        script.cloud.terminate(ofMachine("a", machine), script.now);
        script.pass(Duration.ofMinutes(3));

        assertThat(script.launch(claim("b")).answer()).isInstanceOf(LaunchAnswer.Launched.class);
    }

    @Test
    void theCatalogueRemembersForThreeMinutesWhatWasOut() {
        var script = new Script(SimSettings.DEFAULT.with(only(rule(0, false))));
        var whole = script.cloud.catalog(NOON);
        script.launch(claim("a"));

        var without = script.cloud.catalog(NOON.plusSeconds(179));

        assertThat(without).isNotSameAs(whole);
        assertThat(without.stream().flatMap(type -> type.offerings().stream()))
                .filteredOn(offering -> !offering.isAvailable())
                .singleElement()
                .extracting(Offering::zone)
                .isEqualTo("test-zone-a");
        assertThat(script.cloud.catalog(NOON.plusSeconds(180)))
                .isEqualTo(whole)
                .allMatch(type -> type.offerings().stream().allMatch(Offering::isAvailable));
    }

    @Test
    void anotherOfferingIsBoughtWhereTheCheapestIsOut() {
        var script =
                new Script(
                        SimSettings.DEFAULT.with(
                                only(new CapacityRule("*", "test-zone-a", "*", 0, true))));

        var machine = script.launched(openClaim("a"));

        assertThat(machine.labels()).containsEntry(LabelKeys.ZONE, "test-zone-b");
    }

    @Test
    void callsBeyondTheBucketAreTurnedAwayUntilItFills() {
        var throttle = new Throttle(0.5, 2);
        var script =
                new Script(SimSettings.DEFAULT.with(SimApi.LAUNCH, new ApiFaults(throttle, 0, 0)));
        script.launched(claim("a"));
        script.launched(claim("b"));

        assertThat(script.launch(claim("c")).answer())
                .isInstanceOfSatisfying(
                        LaunchAnswer.Refused.class,
                        refused -> assertThat(refused.reason()).isEqualTo("RequestLimitExceeded"));
        script.pass(Duration.ofSeconds(2));
        assertThat(script.launch(claim("c")).answer()).isInstanceOf(LaunchAnswer.Launched.class);
    }

    @Test
    void listingsHearOfMachinesLate() {
        var script = new Script(with(Delay.NONE, Delay.NONE, Delay.always(MINUTE), Delay.NONE));
        var machine = script.launched(claim("a"));

        assertThat(script.listed()).isEmpty();
        script.pass(MINUTE);
        assertThat(script.listed()).hasSize(1);
        script.cloud.terminate(ofMachine("a", machine), script.now);
        script.pass(MINUTE.minusSeconds(1));
        assertThat(script.listed()).singleElement().matches(Machine::isTerminating);
        script.pass(MINUTE);
        assertThat(script.listed()).isEmpty();
        assertThat(script.cloud.find(machine.providerId(), script.now).answer())
                .isEqualTo(new FindAnswer.Gone());
    }

    @Test
    void aMachineTakesItsTimeToGo() {
        var script = new Script(with(Delay.NONE, Delay.NONE, Delay.NONE, Delay.always(MINUTE)));
        var claim = ofMachine("a", script.launched(claim("a")));

        assertThat(script.cloud.terminate(claim, script.now).answer())
                .isEqualTo(new TerminateAnswer.Started());
        script.pass(MINUTE.minusSeconds(1));
        assertThat(script.cloud.terminate(claim, script.now).answer())
                .isEqualTo(new TerminateAnswer.Started());
        script.pass(Duration.ofSeconds(1));
        assertThat(script.cloud.terminate(claim, script.now).answer())
                .isEqualTo(new TerminateAnswer.Gone());
        assertThat(script.cloud.advance(script.now).getLast())
                .isEqualTo(new SimEvent.Stopped(script.now, claim.providerId(), Cause.TERMINATED));
    }

    @Test
    void aMachineJoinsItsClusterAfterTheDelayOfCloudAndClass() {
        var script =
                new Script(
                        with(Delay.NONE, Delay.always(MINUTE), Delay.NONE, Delay.NONE),
                        _ -> new NodeClassState.Ready(Duration.ofSeconds(5)));
        var machine = script.launched(claim("a"));

        assertThat(script.cloud.nextEventAt()).isEqualTo(NOON.plusSeconds(65));
        assertThat(script.cloud.advance(NOON.plusSeconds(64)))
                .containsExactly(new SimEvent.Started(NOON, machine, claim("a")));
        assertThat(script.cloud.advance(NOON.plusSeconds(65)))
                .containsExactly(new SimEvent.Joined(NOON.plusSeconds(65), machine, claim("a")));
        assertThat(script.cloud.advance(NOON.plusSeconds(65))).isEmpty();
    }

    @Test
    void aMachineThatWasTerminatedBeforeDoesNotJoin() {
        var script = new Script(with(Delay.NONE, Delay.always(MINUTE), Delay.NONE, Delay.NONE));
        var machine = script.launched(claim("a"));
        script.cloud.terminate(ofMachine("a", machine), NOON);

        assertThat(script.cloud.advance(NOON.plus(MINUTE)))
                .noneMatch(SimEvent.Joined.class::isInstance);
    }

    @Test
    void aSilentMachineNeverJoins() {
        var script = new Script(SimSettings.DEFAULT.with(new Mishaps(0, 1, 0)));
        script.launched(claim("a"));

        assertThat(script.cloud.advance(NOON.plus(Duration.ofDays(1))))
                .hasOnlyElementsOfType(SimEvent.Started.class);
        assertThat(script.cloud.truth(NOON.plus(Duration.ofDays(1)))).hasSize(1);
    }

    @Test
    void aSpotMachineIsTakenTwoMinutesAfterItsNotice() {
        var script = new Script(SimSettings.DEFAULT.with(interruptions(60, 0)));
        var spot = script.launched(spotClaim("spot", "test-zone-a"));
        var onDemand = script.launched(claim("on-demand"));

        var events = script.cloud.advance(NOON.plus(Duration.ofDays(1)));

        var noticed = (SimEvent.Noticed) events.get(4);
        assertThat(noticed.providerId()).isEqualTo(spot.providerId());
        assertThat(noticed.endsAt()).isEqualTo(noticed.at().plus(Duration.ofMinutes(2)));
        assertThat(events)
                .element(5)
                .isEqualTo(
                        new SimEvent.Stopped(
                                noticed.endsAt(), spot.providerId(), Cause.INTERRUPTED));
        assertThat(script.cloud.truth(NOON.plus(Duration.ofDays(1))))
                .extracting(Machine::providerId)
                .containsExactly(onDemand.providerId());
    }

    @Test
    void aMachineCanBeTakenBackBecauseSomebodyWantsToSeeIt() {
        var script = new Script(SimSettings.DEFAULT);
        var machine = script.launched(claim("a"));

        assertThat(script.cloud.interrupt(machine.providerId(), NOON)).isTrue();
        assertThat(script.cloud.notices(NOON))
                .containsExactly(
                        new Notice(machine.providerId(), NOON, NOON.plus(Duration.ofMinutes(2))));
        assertThat(script.cloud.interrupt(machine.providerId(), NOON)).isFalse();
        assertThat(script.cloud.interrupt("sim:///nowhere", NOON)).isFalse();
        script.pass(Duration.ofMinutes(2));
        assertThat(script.cloud.truth(script.now)).isEmpty();
        assertThat(script.cloud.notices(script.now)).isEmpty();
    }

    @Test
    void whatIsBeingTakenBackIsUnavailable() {
        var script = new Script(SimSettings.DEFAULT.with(interruptions(60, 0)));
        script.launched(spotClaim("spot", "test-zone-a"));
        script.cloud.advance(NOON);
        script.now = script.cloud.nextEventAt() == null ? NOON : script.cloud.nextEventAt();

        assertThat(script.launch(spotClaim("next", "test-zone-a")).answer())
                .isInstanceOf(LaunchAnswer.InsufficientCapacity.class);
    }

    @Test
    void aWaveTakesTheSpotMachinesOfOneZone() {
        var script = new Script(SimSettings.DEFAULT.with(interruptions(0, 1)));
        script.launched(spotClaim("a1", "test-zone-a"));
        script.launched(spotClaim("a2", "test-zone-a"));
        script.launched(spotClaim("b1", "test-zone-b"));
        script.launched(spotClaim("b2", "test-zone-b"));
        script.cloud.advance(NOON);
        script.now = script.cloud.nextEventAt() == null ? NOON : script.cloud.nextEventAt();

        var events = script.cloud.advance(script.now);

        assertThat(events).hasSize(2).allMatch(SimEvent.Noticed.class::isInstance);
        script.pass(Duration.ofMinutes(2));
        assertThat(script.cloud.truth(script.now))
                .extracting(machine -> machine.labels().get(LabelKeys.ZONE))
                .hasSize(2)
                .allMatch(script.cloud.truth(script.now).getFirst().labels()::containsValue);
    }

    @Test
    void aLeakedMachineIsListedAndCanBeTerminated() {
        var script = new Script(SimSettings.DEFAULT.with(new Mishaps(1, 0, 0)));
        var machine = script.launched(claim("a"));
        var leaked =
                script.listed().stream()
                        .filter(other -> !other.providerId().equals(machine.providerId()))
                        .toList();

        assertThat(leaked).hasSize(1);
        script.cloud.terminate(ofMachine("leaked", leaked.getFirst()), NOON);
        assertThat(script.cloud.truth(NOON))
                .extracting(Machine::providerId)
                .containsExactly(machine.providerId());
    }

    @Test
    void aCrashedMachineIsGoneUnannounced() {
        var script = new Script(SimSettings.DEFAULT.with(new Mishaps(0, 0, 1)));
        script.launched(claim("a"));
        var tomorrow = NOON.plus(Duration.ofDays(10));

        assertThat(script.cloud.advance(tomorrow).getLast())
                .isInstanceOfSatisfying(
                        SimEvent.Stopped.class,
                        stopped -> assertThat(stopped.cause()).isEqualTo(Cause.CRASHED));
        assertThat(script.cloud.truth(tomorrow)).isEmpty();
    }

    @Test
    void aClaimWhoseMachineIsGoneGetsAnother() {
        var script = new Script(SimSettings.DEFAULT);
        var first = script.launched(claim("a"));
        script.cloud.terminate(ofMachine("a", first), NOON);

        assertThat(script.launched(claim("a")).providerId()).isNotEqualTo(first.providerId());
    }

    @Test
    void machinesOfAnOlderImageHaveDrifted() {
        var script = new Script(SimSettings.DEFAULT);
        var old = ofMachine("a", script.launched(claim("a")));
        script.cloud.publish("newer");
        var fresh = ofMachine("b", script.launched(claim("b")));

        assertThat(script.cloud.drift(old, NOON)).isEqualTo(new DriftAnswer.Drifted("ImageDrift"));
        assertThat(script.cloud.drift(fresh, NOON)).isEqualTo(new DriftAnswer.InPlace());
        assertThat(script.cloud.drift(claim("c"), NOON)).isEqualTo(new DriftAnswer.Gone());
    }

    @Test
    void inCalmWeatherNothingOfTheStormHappens() {
        var storm = SimSettings.DEFAULT.with(interruptions(60, 60)).with(new Mishaps(0, 0, 60));
        var script = new Script(storm);
        script.launched(spotClaim("a", "test-zone-a"));
        script.cloud.change(SimSettings.DEFAULT, NOON);

        script.cloud.advance(NOON.plus(Duration.ofDays(1)));

        assertThat(script.cloud.truth(NOON.plus(Duration.ofDays(1)))).hasSize(1);
    }

    private static SimSettings with(
            Delay launch, Delay registration, Delay listing, Delay termination) {
        return SimSettings.DEFAULT.with(
                new Timing(launch, Delay.NONE, registration, listing, termination));
    }

    private static CapacityRule rule(int machines, boolean recovers) {
        return new CapacityRule(Script.TYPE, "test-zone-a", "on-demand", machines, recovers);
    }

    private static Capacity only(CapacityRule rule) {
        return new Capacity(List.of(rule), 0, Duration.ofMinutes(10), Capacity.REMEMBERED_DEFAULT);
    }

    private static Interruptions interruptions(double perHour, double wavesPerHour) {
        return new Interruptions(perHour, Interruptions.NOTICE_DEFAULT, wavesPerHour, 1);
    }
}
