package dev.millwright.providers.aws.classes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.kube.document.Tree;
import dev.millwright.providers.aws.api.AwsFault;
import dev.millwright.providers.aws.api.IamApi.Profile;
import dev.millwright.providers.aws.controllers.instanceprofile.garbagecollection.ProfileGarbageController;
import dev.millwright.runtime.step.Step.Ending;
import dev.millwright.testing.kit.aws.ApiFault;
import dev.millwright.testing.kit.aws.TestAccount;
import dev.millwright.testing.kit.aws.account.TestAccountExtension;
import dev.millwright.testing.kit.cluster.Manifest;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;

/// Which instance profiles go because nobody has them.
@ExtendWith(TestAccountExtension.class)
@Tag("account")
@Tag("AWS-C8")
class ProfileGarbageTest {

    private static final String OURS = "/karpenter/us-east-1/test-cluster/";

    private final ClassRig rig = new ClassRig();
    private final ProfileGarbageController garbage =
            new ProfileGarbageController(rig.rig().classKind(), rig.profiles());

    @BeforeEach
    void aClassWithAProfile() {
        rig.make().look();
    }

    private void profile(String name, String path) throws AwsFault {
        rig.clients().iam().createProfile(name, path, new TreeMap<>());
        rig.clients().iam().addRole(name, "test-role");
    }

    private List<String> left() throws AwsFault {
        return rig.clients().iam().profiles("/").stream().map(Profile::name).toList();
    }

    private String current() {
        return Objects.requireNonNull(rig.status().instanceProfile());
    }

    @Test
    void whatNoClassAndNoClaimHasGoesAndNothingElse() throws AwsFault {
        profile("orphan", OURS + "other-uid/");
        profile("in-use", OURS + "other-uid/");
        profile("strangers", "/karpenter/us-east-1/other-cluster/uid/");
        profile("plain", "/");
        rig.rig()
                .apply(
                        Manifest.claim("a")
                                .spec(
                                        "nodeClassRef",
                                        Tree.of("group", "karpenter.k8s.aws")
                                                .put("kind", "EC2NodeClass")
                                                .put("name", "default")
                                                .mapping())
                                .annotation("karpenter.k8s.aws/instance-profile-name", "in-use"));
        rig.rig().advance(Duration.ofHours(2));

        var ending = rig.rig().run(garbage);

        assertThat(left()).containsExactlyInAnyOrder(current(), "in-use", "strangers", "plain");
        assertThat(ending).isEqualTo(new Ending.Again(Duration.ofMinutes(30)));
    }

    @Test
    void whatWasLatelyInUseIsKeptForAnHour() throws AwsFault {
        var before = current();
        rig.change("role", "").change("instanceProfile", "my-profile").look();
        rig.rig().run(garbage);
        assertThat(left()).contains(before);

        rig.rig().advance(Duration.ofHours(1));
        rig.rig().run(garbage);
        assertThat(left()).doesNotContain(before);
    }

    @Test
    void whatCannotBeDeletedNowIsTriedAgain(TestAccount aws) throws AwsFault {
        profile("orphan-1", OURS + "other-uid/");
        profile("orphan-2", OURS + "other-uid/");
        aws.fail(
                ApiFault.refuse("DeleteInstanceProfile", "DeleteConflict", 409)
                        .matching("orphan-1"));

        assertThat(rig.rig().run(garbage).toString()).contains("orphan-1", "DeleteConflict");
        assertThat(left()).contains("orphan-1").doesNotContain("orphan-2");
        rig.rig().run(garbage);
        assertThat(left()).doesNotContain("orphan-1");
    }

    @Test
    void aListThatIsRefusedDeletesNothing(TestAccount aws) throws AwsFault {
        profile("orphan", OURS + "other-uid/");
        aws.fail(ApiFault.refuse("ListInstanceProfiles", "AccessDenied", 403));

        assertThat(rig.rig().run(garbage).toString()).contains("AccessDenied");
        assertThat(left()).contains("orphan");
    }
}
