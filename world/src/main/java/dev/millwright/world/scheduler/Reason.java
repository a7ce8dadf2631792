package dev.millwright.world.scheduler;

/// Why a node will not do. Those that other pods' leaving cannot change are final.
enum Reason {
    UNSCHEDULABLE("node(s) were unschedulable", true),
    TAINT("node(s) had untolerated taints", true),
    NODE_AFFINITY("node(s) didn't match the pod's node affinity/selector", true),
    PORTS("node(s) had no free port for the pod", false),
    RESOURCES("Insufficient", false),
    VOLUME_LIMIT("node(s) could attach no more volumes", false),
    VOLUME_AFFINITY("node(s) were out of reach of the pod's volume", true),
    VOLUME_CLASS("node(s) had no topology that the storage class allows", true),
    SPREAD_LABEL("node(s) lacked the label of a spread constraint", true),
    SPREAD("node(s) would break a spread constraint", false),
    AFFINITY("node(s) didn't match pod affinity", true),
    ANTI_AFFINITY("node(s) didn't match pod anti-affinity", false),
    SHUNNED("node(s) held pods with anti-affinity against it", false);

    private final String text;
    private final boolean isFinal;

    Reason(String text, boolean isFinal) {
        this.text = text;
        this.isFinal = isFinal;
    }

    String text() {
        return text;
    }

    boolean isFinal() {
        return isFinal;
    }
}
