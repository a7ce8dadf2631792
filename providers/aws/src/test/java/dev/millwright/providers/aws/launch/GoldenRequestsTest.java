package dev.millwright.providers.aws.launch;

import static dev.millwright.providers.aws.launch.CloudRig.claim;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millwright.core.label.AnnotationKeys;
import dev.millwright.testing.kit.aws.TestAccount;
import dev.millwright.testing.kit.aws.account.TestAccountExtension;
import dev.millwright.testing.kit.cloud.MachineClaimBuilder;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Whole requests as EC2 gets them, beside files: whatever changes in them is seen. With the system
/// property `golden.write` the files are written anew.
@ExtendWith(TestAccountExtension.class)
@Tag("account")
@Tag("AWS-F7a")
class GoldenRequestsTest {

    private static final Path FILES = Path.of("src/test/resources/aws/launch");

    private static MachineClaimBuilder small(String... capacityTypes) {
        return claim("a").types("m5.large", "c5.large").capacityTypes(capacityTypes);
    }

    private static void compare(CloudRig rig, String name) {
        var text = new StringBuilder();
        for (var template : rig.templates()) {
            text.append("CreateLaunchTemplate\n").append(Requests.lines(template)).append('\n');
        }
        for (var fleet : rig.fleets()) {
            text.append("CreateFleet\n").append(Requests.lines(fleet)).append('\n');
        }
        var file = FILES.resolve(name + ".txt");
        try {
            if (Boolean.getBoolean("golden.write")) {
                Files.createDirectories(FILES);
                Files.writeString(file, text, UTF_8);
            }
            assertThat(text.toString()).isEqualTo(Files.readString(file, UTF_8));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Test
    void spot() {
        try (var rig = new CloudRig()) {
            rig.nodeClass("default", "context", "cxt-1");
            rig.launched(small("spot", "on-demand"));
            compare(rig, "spot");
        }
    }

    @Test
    void onDemand() {
        try (var rig = new CloudRig()) {
            rig.nodeClass();
            rig.launched(small("on-demand"));
            compare(rig, "on-demand");
        }
    }

    @Test
    void reserved(TestAccount aws) {
        reserved(aws, "default", false, "reserved");
    }

    @Test
    void capacityBlock(TestAccount aws) {
        reserved(aws, "capacity-block", false, "capacity-block");
    }

    @Test
    void interruptible(TestAccount aws) {
        reserved(aws, "default", true, "interruptible");
    }

    private static void reserved(
            TestAccount aws, String kind, boolean isInterruptible, String name) {
        var reservation =
                TemplateDataTest.reservation("cr-a", "m5.large", "us-east-1a")
                        .put("ReservationType", kind);
        aws.reservations(isInterruptible ? reservation.put("Interruptible", true) : reservation);
        try (var rig = new CloudRig()) {
            rig.nodeClass("default", "capacityReservationSelectorTerms", "[{id: cr-a}]");
            rig.launched(small("reserved", "spot", "on-demand"));
            compare(rig, name);
        }
    }

    @Test
    void priceOverlay() {
        try (var rig = new CloudRig()) {
            rig.nodeClass();
            rig.launched(
                    small("on-demand").annotation(AnnotationKeys.PRICE_OVERLAY_APPLIED, "true"));
            compare(rig, "price-overlay");
        }
    }

    @Test
    void efa() {
        try (var rig = new CloudRig()) {
            rig.nodeClass();
            rig.launched(
                    claim("a")
                            .types("p4d.24xlarge")
                            .capacityTypes("on-demand")
                            .request("vpc.amazonaws.com/efa", "1"));
            compare(rig, "efa");
        }
    }

    @Test
    void ipv6() {
        try (var rig = new CloudRig(CloudRig.Setup.USUAL.dns("fd4b:121b:812b::a"))) {
            rig.nodeClass("default", "ipPrefixCount", "1");
            rig.launched(small("on-demand"));
            compare(rig, "ipv6");
        }
    }

    @Test
    void interfaces() {
        try (var rig = new CloudRig()) {
            rig.nodeClass(
                    "default",
                    "networkInterfaces",
                    "[{networkCardIndex: 0, deviceIndex: 0, interfaceType: interface},"
                            + " {networkCardIndex: 1, deviceIndex: 1, interfaceType: efa-only}]",
                    "associatePublicIPAddress",
                    "false",
                    "connectionTracking",
                    "{udpTimeout: 40}");
            rig.launched(claim("a").types("p4d.24xlarge").capacityTypes("on-demand"));
            compare(rig, "interfaces");
        }
    }
}
