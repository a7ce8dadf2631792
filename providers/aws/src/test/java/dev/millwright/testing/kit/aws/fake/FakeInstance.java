package dev.millwright.testing.kit.aws.fake;

import dev.millwright.providers.aws.api.InstanceInfo;

import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeMap;

/// An instance that was launched. It runs at once, and is terminated at once.
final class FakeInstance {

    private final InstanceInfo launched;
    private final int addresses;
    private final SequencedMap<String, String> tags;
    private boolean isEnded;
    private boolean isStopped;
    private boolean hasLapsed;

    /// @param addresses that its interfaces hold in its subnet
    FakeInstance(InstanceInfo launched, int addresses) {
        this.launched = launched;
        this.addresses = addresses;
        this.tags = new TreeMap<>(launched.tags());
    }

    String id() {
        return launched.id();
    }

    String subnetId() {
        return launched.subnetId();
    }

    int addresses() {
        return addresses;
    }

    boolean isEnded() {
        return isEnded;
    }

    String reservationId() {
        return hasLapsed ? "" : launched.reservationId();
    }

    String state() {
        if (isEnded) {
            return "terminated";
        }
        return isStopped ? "stopped" : "running";
    }

    void end() {
        isEnded = true;
    }

    void stop() {
        isStopped = true;
    }

    void start() {
        isStopped = false;
    }

    /// Its reservation ended; it stays as an ordinary instance.
    void lapse() {
        hasLapsed = true;
    }

    void tag(Map<String, String> more) {
        tags.putAll(more);
    }

    InstanceInfo info() {
        return new InstanceInfo(
                launched.id(),
                launched.type(),
                launched.imageId(),
                launched.zone(),
                launched.subnetId(),
                launched.securityGroupIds(),
                state(),
                launched.launchedAt(),
                hasLapsed ? "" : launched.lifecycle(),
                launched.spotRequestId(),
                reservationId(),
                launched.reservationPreference(),
                launched.efaInterfaces(),
                launched.tenancy(),
                launched.placementGroupId(),
                launched.partition(),
                tags);
    }

    FakeListed<FakeInstance> listed() {
        var fields =
                Map.of(
                        "instance-id", launched.id(),
                        "instance-type", launched.type(),
                        "instance-state-name", state(),
                        "instance-lifecycle", info().lifecycle(),
                        "availability-zone", launched.zone(),
                        "subnet-id", launched.subnetId(),
                        "image-id", launched.imageId());
        return FakeListed.of(this, fields, tags);
    }
}
