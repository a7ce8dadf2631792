package dev.millwright.testing.e2e;

/// A process of the control plane, in the order in which they start.
public enum Component {
    ETCD("etcd"),
    API_SERVER("apiserver"),
    CONTROLLER_MANAGER("controller-manager"),
    SCHEDULER("scheduler"),
    /// Stands for the kubelets: nodes annotated `kwok.x-k8s.io/node: fake` join, and pods bound to
    /// them run.
    KWOK("kwok");

    private final String word;

    Component(String word) {
        this.word = word;
    }

    /// Its name in `cluster.sh`, in its log's file name and in messages.
    @Override
    public String toString() {
        return word;
    }
}
