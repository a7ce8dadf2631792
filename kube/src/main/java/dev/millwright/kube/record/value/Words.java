package dev.millwright.kube.record.value;

/// The kinds of deliberations, as they stand in a record.
final class Words {

    static final String PROVISIONING = "provisioning";
    static final String DISRUPTION = "disruption";
    static final String SECOND_LOOK = "second look";

    private Words() {}
}
