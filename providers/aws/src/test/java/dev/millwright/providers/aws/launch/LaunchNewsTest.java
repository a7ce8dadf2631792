package dev.millwright.providers.aws.launch;

import static dev.millwright.providers.aws.launch.CloudRig.claim;
import static dev.millwright.providers.aws.launch.CloudRig.classNamed;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millwright.runtime.log.LogLevel;
import dev.millwright.testing.kit.aws.account.TestAccountExtension;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import java.util.Map;

/// How much user data a class's templates have.
@ExtendWith(TestAccountExtension.class)
@Tag("account")
@Tag("AWS-E14")
class LaunchNewsTest {

    private static final String BYTES = "karpenter_ec2nodeclasses_userdata_bytes";

    private final CloudRig rig = new CloudRig();

    @AfterEach
    void close() {
        rig.close();
    }

    @Test
    void aTemplatesUserDataIsMeasuredUntilItsClassIsGone() {
        rig.nodeClass("default").nodeClass("other");
        rig.launched(claim("a").types("m5.large").capacityTypes("on-demand"));
        var bytes = Requests.userData(rig.template()).getBytes(UTF_8).length;
        assertThat(rig.meter().gauges(BYTES))
                .isEqualTo(Map.of(BYTES + "[default]", (double) bytes));

        rig.launched(
                claim("b")
                        .types("m5.large")
                        .capacityTypes("on-demand")
                        .nodeClass(classNamed("other")));
        assertThat(rig.meter().gauges(BYTES))
                .containsOnlyKeys(BYTES + "[default]", BYTES + "[other]");

        rig.delete("default").look("default");
        assertThat(rig.meter().gauges(BYTES)).containsOnlyKeys(BYTES + "[other]");
        assertThat(rig.log().lines()).isEmpty();
    }

    @Test
    void userDataNearTheMostThatEc2TakesIsInTheLog() {
        rig.nodeClass("default", "userData", "echo " + "x".repeat(14_700));
        rig.launched(claim("a").types("m5.large").capacityTypes("on-demand"));

        assertThat(rig.log().messages(LogLevel.INFO))
                .containsExactly("user data is near the most that EC2 takes");
        assertThat(rig.meter().gauges(BYTES).values()).allMatch(bytes -> bytes >= 14_745);
    }

    @Test
    void whatIsLeftOutOfTheClasssUserDataIsInTheLog() {
        rig.nodeClass(
                "default",
                "amiSelectorTerms",
                "[{alias: bottlerocket@latest}]",
                "userData",
                "\"[settings.kubernetes]\\nno-such-setting = true\\n\"");
        rig.launched(claim("a").types("m5.large").capacityTypes("on-demand"));

        assertThat(rig.log().lines())
                .singleElement()
                .asString()
                .contains("left out a part of user data", "no-such-setting");
    }
}
