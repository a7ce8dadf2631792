package dev.millwright.providers.aws;

import dev.millwright.core.label.LabelKeys;
import dev.millwright.kube.cache.View;
import dev.millwright.kube.client.ResourceType;
import dev.millwright.kube.event.KubeEvent;
import dev.millwright.providers.aws.bootstrap.UserData;
import dev.millwright.providers.aws.launch.LaunchFamilies;
import dev.millwright.providers.aws.launch.LaunchListener;
import dev.millwright.runtime.log.Log;
import dev.millwright.runtime.metrics.GaugeSample;
import dev.millwright.runtime.metrics.Meter;
import dev.millwright.spi.MachineClaim;

import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;

/// Tells users what launches bring to light: by gauges, the log and events.
final class LaunchNews implements LaunchListener {

    private static final String OWNER = "ec2nodeclass.userdata";

    private final View view;
    private final Consumer<KubeEvent> events;
    private final Meter meter;
    private final Log log;
    private final Consumer<String> spotless;

    /// Of each class's last template. Guarded by this object's lock.
    private final TreeMap<String, Integer> userDataBytes = new TreeMap<>();

    /// @param spotless hears of pools that asked for spot and got none
    LaunchNews(
            View view,
            Consumer<KubeEvent> events,
            Meter meter,
            Log log,
            Consumer<String> spotless) {
        this.spotless = spotless;
        this.view = view;
        this.events = events;
        this.meter = meter;
        this.log = log;
    }

    @Override
    public void made(String nodeClass, UserData.Written words) {
        var bytes = words.byteCount();
        synchronized (this) {
            userDataBytes.put(nodeClass, bytes);
            measure();
        }
        if (bytes >= UserData.Written.BYTES_NEAR_MAX) {
            log.info(
                    "user data is near the most that EC2 takes",
                    "EC2NodeClass",
                    nodeClass,
                    "bytes",
                    bytes,
                    "bytes-max",
                    UserData.Written.BYTES_MAX);
        }
        for (var note : words.notes()) {
            log.info("left out a part of user data", "EC2NodeClass", nodeClass, "part", note);
        }
    }

    /// The class is gone.
    synchronized void forget(String nodeClass) {
        if (userDataBytes.remove(nodeClass) != null) {
            measure();
        }
    }

    private void measure() {
        meter.replace(
                OWNER,
                userDataBytes.entrySet().stream()
                        .map(
                                entry ->
                                        new GaugeSample(
                                                LaunchFamilies.USER_DATA_BYTES,
                                                entry.getValue(),
                                                List.of(entry.getKey())))
                        .toList());
    }

    @Override
    public void spotRefused(MachineClaim claim) {
        spotless.accept(claim.labels().getOrDefault(LabelKeys.NODE_POOL, ""));
    }

    @Override
    public void spotForbidden(MachineClaim claim, String message) {
        var object = view.claim(claim.name());
        if (object != null) {
            events.accept(
                    KubeEvent.warning(
                            KubeEvent.Subject.of(ResourceType.NODE_CLAIM, object),
                            "SpotSLRCreationFailed",
                            "spot needs the service-linked role AWSServiceRoleForEC2Spot, which is"
                                    + " missing and may not be made: "
                                    + message));
        }
    }
}
