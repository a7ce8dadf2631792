package dev.millwright.controllers.nodeclaim;

import static dev.millwright.controllers.nodeclaim.ClaimText.claim;
import static dev.millwright.controllers.nodeclaim.NodeText.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.label.Taint;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.runtime.step.Step.Ending;
import dev.millwright.spi.MachineClaim;
import dev.millwright.spi.RegistrationHook;
import dev.millwright.spi.RegistrationHook.Answer;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

final class RegistrationHooksTest {

    private static final Answer PASSED = new Answer.Passed(new TreeMap<>());
    private static final Answer PENDING = new Answer.Pending(Duration.ofSeconds(7));

    private final ClaimStage stage = new ClaimStage();

    /// A hook that gives these answers in turn, the last one for ever.
    private static final class Scripted implements RegistrationHook {
        private final String name;
        private final List<Answer> answers;
        private int asked;

        Scripted(String name, Answer... answers) {
            this.name = name;
            this.answers = new ArrayList<>(List.of(answers));
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public Answer registered(MachineClaim claim) {
            return answers.get(Math.min(asked++, answers.size() - 1));
        }
    }

    private Ending nodeComes(RegistrationHook... hooks) {
        stage.rig().cloud().hooks(hooks);
        stage.launched(claim("a")).with(node("n", stage.providerId("a")));
        return stage.live("a");
    }

    private boolean isRegistered() {
        var hasTaint =
                stage.node("n").node().taints().stream().anyMatch(Taint.UNREGISTERED::matches);
        return stage.isTrue("a", ClaimObject.REGISTERED)
                && stage.node("n").isRegistered()
                && !hasTaint;
    }

    private void assertPending(String message) {
        assertThat(stage.isUnknown("a", ClaimObject.REGISTERED)).isTrue();
        assertThat(stage.reason("a", ClaimObject.REGISTERED)).isEqualTo("RegistrationHookPending");
        assertThat(stage.condition("a", ClaimObject.REGISTERED).message()).endsWith(message);
        assertThat(stage.node("n").isRegistered()).isFalse();
        assertThat(stage.node("n").node().taints()).contains(Taint.UNREGISTERED);
    }

    @Test
    @Tag("H25")
    void aHookThatPassesLetsTheNodeRegister() {
        nodeComes(new Scripted("tags", PASSED));

        assertThat(isRegistered()).isTrue();
    }

    @Test
    @Tag("H26")
    void aHookThatIsPendingHoldsTheNode() {
        var ending = nodeComes(new Scripted("tags", PENDING));

        assertPending("tags");
        assertThat(ending).isEqualTo(new Ending.Again(Duration.ofSeconds(7)));
        assertThat(stage.node("n").meta().owners()).hasSize(1);
        assertThat(stage.node("n").meta().labels()).containsKey("karpenter.sh/nodepool");
    }

    @Test
    @Tag("H27")
    void aHookThatFailsHoldsTheNodeAndIsTold() {
        var ending = nodeComes(new Scripted("tags", new Answer.Failed("denied")));

        assertPending("tags");
        assertThat(ending)
                .isInstanceOfSatisfying(
                        Ending.Failed.class,
                        failed -> assertThat(failed.message()).contains("tags", "denied"));
    }

    @Test
    @Tag("H28")
    void oneHookOfTwoHoldsTheNode() {
        nodeComes(new Scripted("dns", PASSED), new Scripted("tags", PENDING));

        assertPending("waits for tags");
    }

    @Test
    @Tag("H29")
    void severalHooksThatPassLetTheNodeRegister() {
        nodeComes(new Scripted("dns", PASSED), new Scripted("tags", PASSED));

        assertThat(isRegistered()).isTrue();
    }

    @Test
    @Tag("H30")
    void allHooksAreAskedAndAllThatWaitAreNamed() {
        var third = new Scripted("zones", PENDING);

        nodeComes(new Scripted("dns", PENDING), new Scripted("tags", PASSED), third);

        assertPending("waits for dns, zones");
        assertThat(third.asked).isEqualTo(1);
    }

    @Test
    void theSoonestOfSeveralHooksIsWaitedFor() {
        var ending =
                nodeComes(
                        new Scripted("dns", new Answer.Pending(Duration.ofSeconds(3))),
                        new Scripted("tags", PENDING));

        assertThat(ending).isEqualTo(new Ending.Again(Duration.ofSeconds(3)));
    }

    @Test
    @Tag("H31")
    void aHookThatPassesLaterLetsTheNodeRegisterThen() {
        nodeComes(new Scripted("tags", PENDING, PASSED));
        assertPending("tags");

        stage.live("a");

        assertThat(isRegistered()).isTrue();
    }

    @Test
    @Tag("H32")
    void anEmptyListOfHooksHoldsNobody() {
        nodeComes();

        assertThat(isRegistered()).isTrue();
    }

    @Test
    @Tag("H33")
    void aCloudThatNamesNoHooksHoldsNobody() {
        stage.registered(claim("a"));

        assertThat(stage.isTrue("a", ClaimObject.REGISTERED)).isTrue();
    }

    @Test
    @Tag("H34")
    void labelsOfAHookReachClaimAndNode() {
        nodeComes(new Scripted("tags", new Answer.Passed(new TreeMap<>(Map.of("rack", "7")))));

        assertThat(stage.claim("a").meta().labels()).containsEntry("rack", "7");
        assertThat(stage.node("n").meta().labels()).containsEntry("rack", "7");
    }
}
