package dev.millwright.providers.aws.interruption;

/// What a message is about, by the names metrics have for it.
public enum Kind {
    SPOT_INTERRUPTED("spot_interrupted", Answer.LEAVE, "SpotInterrupted"),
    CAPACITY_RESERVATION_INTERRUPTED(
            "capacity_reservation_interrupted",
            Answer.LEAVE,
            "CapacityReservationInstanceInterrupted"),
    SCHEDULED_CHANGE("scheduled_change", Answer.LEAVE, "InstanceUnhealthy"),
    EVENT_STATUS("event_status", Answer.LEAVE, "InstanceUnhealthy"),
    INSTANCE_STOPPED("instance_stopped", Answer.LEAVE, "InstanceStopping"),
    INSTANCE_TERMINATED("instance_terminated", Answer.LEAVE, "InstanceTerminating"),
    INSTANCE_STATUS("instance_status", Answer.LEAVE_NOW, "InstanceUnhealthy"),
    SYSTEM_STATUS("system_status", Answer.LEAVE_NOW, "InstanceUnhealthy"),
    REBALANCE_RECOMMENDATION(
            "rebalance_recommendation", Answer.NONE, "SpotRebalanceRecommendation"),
    NO_OP("no_op", Answer.NONE, "");

    /// What is done about it.
    enum Answer {
        NONE,

        /// Pods leave as budgets and grace periods allow.
        LEAVE,

        /// The machine is broken: nobody waits for pods that cannot say goodbye.
        LEAVE_NOW
    }

    private final String text;
    private final Answer answer;
    private final String event;

    Kind(String text, Answer answer, String event) {
        this.text = text;
        this.answer = answer;
        this.event = event;
    }

    public String text() {
        return text;
    }

    Answer answer() {
        return answer;
    }

    /// The reason of the event; empty when there is none to be told.
    String event() {
        return event;
    }
}
