package dev.millwright.providers.aws.classes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.kube.client.ApiAnswer;
import dev.millwright.kube.document.Tree;
import dev.millwright.providers.aws.api.AwsFault;
import dev.millwright.providers.aws.controllers.providers.VersionController;
import dev.millwright.providers.aws.image.ClusterVersion;
import dev.millwright.providers.aws.image.ClusterVersion.Source;
import dev.millwright.providers.aws.image.KubernetesVersion;
import dev.millwright.runtime.log.LogLevel;
import dev.millwright.runtime.step.Step.Ending;
import dev.millwright.testing.kit.aws.ApiFault;
import dev.millwright.testing.kit.aws.TestAccount;
import dev.millwright.testing.kit.aws.account.TestAccountExtension;
import dev.millwright.testing.kit.cluster.Rig;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import java.time.Duration;

/// The control plane's version, by which images are chosen.
@ExtendWith(TestAccountExtension.class)
@Tag("account")
@Tag("AWS-H3")
class ClusterVersionTest {

    private final Rig rig = new Rig();
    private final ClusterVersion version =
            new ClusterVersion(Source.eks(new ClassRig().clients().eks(), TestAccount.CLUSTER));
    private final VersionController controller = new VersionController(version);

    private static Tree told(String text) {
        return Tree.of("version", text);
    }

    private long errors() {
        return rig.lines().stream().filter(line -> line.level() == LogLevel.ERROR).count();
    }

    @Test
    void eksTellsTheVersionAndIsAskedAgainEveryFiveMinutes(TestAccount aws) {
        assertThat(rig.run(controller)).isEqualTo(new Ending.Again(Duration.ofMinutes(5)));
        assertThat(version.known()).isEqualTo(new KubernetesVersion(1, 35));

        aws.cluster(TestAccount.CLUSTER, told("1.36"));
        rig.run(controller);
        assertThat(version.known()).isEqualTo(new KubernetesVersion(1, 36));
    }

    @Test
    void theApiServerTellsItToo() throws AwsFault {
        var answer = new ApiAnswer.Done(Tree.of("major", "1").put("minor", "31+").mapping());

        assertThat(new ClusterVersion(Source.apiServer(() -> answer)).ask())
                .isEqualTo(new KubernetesVersion(1, 31));
    }

    @Test
    void whatIsNotToldStaysAsItWas(TestAccount aws) {
        rig.run(controller);
        aws.fail(ApiFault.refuse("DescribeCluster", "AccessDeniedException", 403));

        assertThat(rig.run(controller).toString()).contains("AccessDeniedException");
        assertThat(version.known()).isEqualTo(new KubernetesVersion(1, 35));
    }

    @Test
    void aVersionWeWereNotMadeForIsToldOnceForEachChange(TestAccount aws) {
        aws.cluster(TestAccount.CLUSTER, told("1.25"));
        rig.run(controller);
        rig.run(controller);
        assertThat(errors()).isEqualTo(1);
        assertThat(version.known()).isEqualTo(new KubernetesVersion(1, 25));

        aws.cluster(TestAccount.CLUSTER, told("1.37"));
        rig.run(controller);
        rig.run(controller);
        assertThat(errors()).isEqualTo(2);
    }

    @Test
    void aVersionThatIsNoneIsRefused(TestAccount aws) {
        aws.cluster(TestAccount.CLUSTER, told("newest"));

        assertThat(rig.run(controller).toString()).contains("newest", "1.31");
        assertThat(version.known()).isNull();
    }
}
