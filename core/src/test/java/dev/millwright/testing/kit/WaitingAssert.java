package dev.millwright.testing.kit;

import dev.millwright.core.scheduling.Plan.WaitingPod;
import dev.millwright.core.scheduling.Refusal;
import dev.millwright.core.scheduling.WaitReason;

import org.assertj.core.api.Assertions;

/// Claims about a pod that waits.
public final class WaitingAssert {

    private final PlanAssert plan;
    private final WaitingPod pod;

    WaitingAssert(PlanAssert plan, WaitingPod pod) {
        this.plan = plan;
        this.pod = pod;
    }

    public WaitingAssert because(Class<? extends WaitReason> kind) {
        Assertions.assertThat(pod.reason()).as(pod.reason().explain()).isInstanceOf(kind);
        return this;
    }

    /// The reason, as told to people, holds this text.
    public WaitingAssert because(String text) {
        Assertions.assertThat(pod.reason().explain()).contains(text);
        return this;
    }

    /// Some pool refused the pod in this way.
    public WaitingAssert becauseOf(Class<? extends Refusal> kind) {
        because(WaitReason.Refused.class);
        var refused = (WaitReason.Refused) pod.reason();
        Assertions.assertThat(refused.pools())
                .as(pod.reason().explain())
                .anySatisfy(pool -> Assertions.assertThat(pool.refusal()).isInstanceOf(kind));
        return this;
    }

    /// Back to the plan.
    public PlanAssert and() {
        return plan;
    }
}
