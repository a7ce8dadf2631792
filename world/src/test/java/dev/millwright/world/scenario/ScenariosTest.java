package dev.millwright.world.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.world.chance.Chance;
import dev.millwright.world.time.Agenda;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

final class ScenariosTest {

    private static final Instant NOON = Instant.parse("2026-06-01T12:00:00Z");

    static List<Scenario> all() {
        return Scenarios.ALL;
    }

    private static Plot plot(long seed) {
        return new Plot(Chance.of(seed), Plot.PODS_SMALL, Duration.ofHours(1));
    }

    @ParameterizedTest
    @MethodSource("all")
    void theSameSeedGivesTheSameScript(Scenario scenario) {
        assertThat(scenario.script(plot(7))).isEqualTo(scenario.script(plot(7)));
    }

    @ParameterizedTest
    @MethodSource("all")
    void anotherSeedGivesAnotherScript(Scenario scenario) {
        assertThat(scenario.script(plot(7))).isNotEqualTo(scenario.script(plot(8)));
    }

    @ParameterizedTest
    @MethodSource("all")
    void aPoolAndItsClassAreThereAtTheStart(Scenario scenario) {
        assertThat(scenario.script(plot(7)).lines())
                .filteredOn(line -> line.at().isZero())
                .extracting(line -> line.words())
                .contains("creates KWOKNodeClass default")
                .anyMatch(words -> words.startsWith("creates NodePool"));
    }

    @ParameterizedTest
    @MethodSource("all")
    void aDestroyedWorldDeletesWhatItCreated(Scenario scenario) {
        var script = scenario.script(plot(7)).destroyedAt(Duration.ofHours(2));

        assertThat(names(script, "deletes ")).containsAll(names(script, "creates NodePool "));
        assertThat(script.lines().getLast().words()).startsWith("deletes NodePool");
    }

    /// The last word of each line that begins so.
    private static List<String> names(Script script, String beginning) {
        return script.lines().stream()
                .map(Line::words)
                .filter(words -> words.startsWith(beginning))
                .map(words -> words.substring(words.lastIndexOf(' ') + 1))
                .toList();
    }

    @Test
    void scenariosHaveNamesOfTheirOwn() {
        assertThat(all()).extracting(Scenario::name).doesNotHaveDuplicates();
        assertThat(Scenarios.find("gpu")).isSameAs(Scenarios.of(7));
        assertThat(Scenarios.find("nonsense")).isNull();
    }

    @Test
    void usersDoAtItsTimeWhatTheScriptSays() {
        var agenda = new Agenda(NOON);
        var writes = new ArrayList<String>();
        var users =
                new Users(
                        new Users.Reach(
                                write -> writes.add(agenda.instant() + " " + inWords(write)),
                                () -> List.of(new ObjectName("", "n1"), new ObjectName("", "n2")),
                                image -> writes.add(agenda.instant() + " " + image)));
        var script =
                new ScriptDraft()
                        .publish(Duration.ofMinutes(3), "new")
                        .first(Manifests.nodeClass())
                        .scale(Duration.ofMinutes(1), ResourceType.DEPLOYMENT, "web", 5)
                        .deleteNode(Duration.ofMinutes(2), 3)
                        .script();

        users.play(script, agenda);
        agenda.runUntil(NOON.plus(Duration.ofHours(1)));

        assertThat(writes)
                .containsExactly(
                        "2026-06-01T12:00:00Z Create kwoknodeclasses.karpenter.kwok.sh",
                        "2026-06-01T12:01:00Z Patch deployments.apps",
                        "2026-06-01T12:02:00Z Delete nodes n2",
                        "2026-06-01T12:03:00Z new");
    }

    private static String inWords(ApiWrite write) {
        var name = write instanceof ApiWrite.Delete delete ? " " + delete.name().name() : "";
        return write.getClass().getSimpleName() + " " + write.type() + name;
    }
}
