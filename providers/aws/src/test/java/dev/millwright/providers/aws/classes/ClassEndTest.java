package dev.millwright.providers.aws.classes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.cluster.ObjectName;
import dev.millwright.core.policy.GoHash;
import dev.millwright.kube.cache.Change;
import dev.millwright.kube.cache.Kind;
import dev.millwright.kube.client.ApiWrite;
import dev.millwright.kube.document.Tree;
import dev.millwright.kube.object.ClaimObject;
import dev.millwright.providers.aws.api.AwsFault;
import dev.millwright.providers.aws.api.IamApi.Profile;
import dev.millwright.providers.aws.api.LaunchTemplate;
import dev.millwright.providers.aws.api.TemplateInfo;
import dev.millwright.providers.aws.nodeclass.Ec2NodeClass;
import dev.millwright.providers.aws.profile.InstanceProfiles;
import dev.millwright.runtime.step.Controller;
import dev.millwright.runtime.step.Step.Ending;
import dev.millwright.testing.kit.aws.ApiFault;
import dev.millwright.testing.kit.aws.TestAccount;
import dev.millwright.testing.kit.aws.account.TestAccountExtension;
import dev.millwright.testing.kit.cluster.Manifest;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import java.util.UUID;

/// What becomes of a class that is deleted, and of what was made for it.
@ExtendWith(TestAccountExtension.class)
@Tag("account")
@Tag("AWS-C9")
class ClassEndTest {

    /// By the name that Karpenter before 1.7 gave the profile of class `default`.
    private static final String LEGACY = "test-cluster_" + legacyHash();

    private static String legacyHash() {
        return Long.toUnsignedString(GoHash.text("us-east-1" + "default"));
    }

    private static Manifest claim(String name) {
        return Manifest.claim(name)
                .spec(
                        "nodeClassRef",
                        Tree.of("group", "karpenter.k8s.aws")
                                .put("kind", "EC2NodeClass")
                                .put("name", "default")
                                .mapping());
    }

    private static ClassRig made() {
        var rig = new ClassRig().make();
        rig.look();
        return rig;
    }

    private static void template(ClassRig rig, String name, String cluster, String nodeClass)
            throws AwsFault {
        var tags = new TreeMap<String, String>();
        tags.put("eks:eks-cluster-name", cluster);
        tags.put("karpenter.k8s.aws/ec2nodeclass", nodeClass);
        rig.clients()
                .ec2()
                .createLaunchTemplate(
                        new LaunchTemplate(
                                name,
                                tags,
                                new TreeMap<>(),
                                "ami-test1",
                                "profile",
                                "",
                                List.of(),
                                List.of(),
                                new LaunchTemplate.Metadata("enabled", "disabled", 1, "required"),
                                new LaunchTemplate.Placement("default", null, null),
                                false,
                                false,
                                null,
                                null,
                                null));
    }

    private static List<String> templates(ClassRig rig) throws AwsFault {
        return rig.clients().ec2().launchTemplates(List.of()).stream()
                .map(TemplateInfo::name)
                .toList();
    }

    private static List<String> profiles(ClassRig rig) throws AwsFault {
        return rig.clients().iam().profiles("/").stream().map(Profile::name).toList();
    }

    @Test
    void aClassHasTheFinalizerBeforeAnythingIsMadeForIt(TestAccount aws) {
        var rig = new ClassRig().make();
        rig.rig().run(rig.controller(), "default");

        assertThat(rig.nodeClass().meta().finalizers())
                .containsExactly("karpenter.k8s.aws/termination");
        assertThat(aws.calls("CreateInstanceProfile")).isZero();
    }

    @Test
    void aClassWaitsForItsClaimsAndTellsWhich() {
        var rig = made();
        rig.rig().apply(claim("a"), claim("b"), claim("c"), claim("d"), claim("e"), claim("f"));
        var ending = rig.delete().look();

        assertThat(ending).isEqualTo(new Ending.Again(Duration.ofMinutes(10)));
        assertThat(rig.rig().events())
                .singleElement()
                .matches(event -> event.reason().equals("WaitingOnNodeClaimTermination"))
                .matches(event -> event.message().contains("a, b, c, d, e and 1 other(s)"));
        assertThat(rig.find()).isNotNull();
    }

    @Test
    void aClaimThatGoesCallsItsClass() {
        var rig = made();
        rig.rig().apply(claim("a"));
        var change = new Change<>(new ObjectName("", "a"), rig.rig().claim("a"), null);
        var keys =
                rig.controller().watches().stream()
                        .filter(watch -> watch.kind().equals(Kind.NODE_CLAIM))
                        .flatMap(watch -> keys(watch, rig, change).stream())
                        .toList();

        assertThat(keys).containsExactly(new ObjectName("", "default"));
    }

    @SuppressWarnings("unchecked") // The watch is of claims.
    private static List<ObjectName> keys(
            Controller.Watch<?> watch, ClassRig rig, Change<ClaimObject> change) {
        var ofClaims = (Controller.Watch<ClaimObject>) watch;
        return ofClaims.keys().of(rig.rig().view(), change);
    }

    @Test
    void profilesOfTheClassGoOldAndNewWithOrWithoutARole() throws AwsFault {
        var rig = made();
        var iam = rig.clients().iam();
        iam.createProfile(LEGACY, "/", new TreeMap<>());
        iam.addRole(LEGACY, "test-role");
        iam.createProfile("bare", "/karpenter/us-east-1/test-cluster/class-uid/", new TreeMap<>());
        iam.createProfile("other", "/karpenter/us-east-1/test-cluster/other-uid/", new TreeMap<>());
        rig.delete().look();

        assertThat(rig.find()).isNull();
        assertThat(profiles(rig)).containsExactly("other");
    }

    @Test
    void aClassWithoutAnyProfileGoesToo() throws AwsFault {
        var rig = new ClassRig().make("role", "", "instanceProfile", "my-profile");
        rig.look();
        rig.delete().look();

        assertThat(rig.find()).isNull();
        assertThat(rig.forgotten()).containsExactly("default");
    }

    @Test
    void aNameOfOldThatIamWouldNotTakeIsNotAskedFor(TestAccount aws) throws AwsFault {
        var rig = new ClassRig().make("role", "", "instanceProfile", "my-profile");
        var profiles =
                new InstanceProfiles(
                        rig.clients().iam(),
                        "no name/for IAM",
                        TestAccount.REGION,
                        rig.rig().clock(),
                        () -> new UUID(0, 1));
        profiles.deleteAll(rig.nodeClass());

        assertThat(aws.calls("GetInstanceProfile")).isZero();
    }

    @Test
    void whereIamIsOutOfReachItIsNotAsked(TestAccount aws) {
        var rig =
                new ClassRig(ClassRig.Setup.USUAL.isolated())
                        .make("role", "", "instanceProfile", "my-profile");
        rig.look();
        rig.delete().look();

        assertThat(rig.find()).isNull();
        assertThat(aws.calls()).doesNotContainKeys("ListInstanceProfiles", "GetInstanceProfile");
    }

    @Test
    void onlyTheTemplatesOfThisClassAndClusterGo() throws AwsFault {
        var rig = made();
        template(rig, "ours-1", "test-cluster", "default");
        template(rig, "ours-2", "test-cluster", "default");
        template(rig, "of-another-class", "test-cluster", "other");
        template(rig, "of-another-cluster", "other-cluster", "default");
        rig.delete().look();

        assertThat(rig.find()).isNull();
        assertThat(templates(rig)).containsExactly("of-another-class", "of-another-cluster");
    }

    @Test
    void aTemplateThatStaysKeepsTheClass(TestAccount aws) throws AwsFault {
        var rig = made();
        template(rig, "ours-1", "test-cluster", "default");
        template(rig, "ours-2", "test-cluster", "default");
        aws.fail(
                ApiFault.refuse("DeleteLaunchTemplate", "UnauthorizedOperation", 403)
                        .matching("ours-1"));
        var ending = rig.delete().look();

        assertThat(ending.toString()).contains("default", "ours-1", "UnauthorizedOperation");
        assertThat(rig.find()).isNotNull();
        assertThat(templates(rig)).containsExactly("ours-1");
        assertThat(rig.forgotten()).containsExactly("default");
        rig.look();
        assertThat(rig.find()).isNull();
    }

    @Test
    void aProfileThatStaysKeepsTheClass(TestAccount aws) throws AwsFault {
        var rig = made();
        aws.fail(ApiFault.refuse("DeleteInstanceProfile", "DeleteConflict", 409));
        assertThat(rig.delete().look()).isInstanceOf(Ending.Failed.class);
        assertThat(rig.find()).isNotNull();

        rig.look();
        assertThat(rig.find()).isNull();
        assertThat(profiles(rig)).isEmpty();
    }

    @Test
    void anotherFinalizerIsLeftAlone() {
        var rig = made();
        rig.rig()
                .api()
                .write(
                        new ApiWrite.Patch(
                                Ec2NodeClass.TYPE,
                                new ObjectName("", "default"),
                                ApiWrite.PatchKind.MERGE,
                                ApiWrite.Subresource.NONE,
                                Tree.of(
                                                "metadata",
                                                Tree.of()
                                                        .putTextList(
                                                                "finalizers",
                                                                List.of(
                                                                        "example.com/wait",
                                                                        "karpenter.k8s.aws/termination")))
                                        .mapping()));
        rig.delete().look();

        assertThat(rig.nodeClass().meta().finalizers()).containsExactly("example.com/wait");
        assertThat(rig.look()).isEqualTo(new Ending.Done());
    }
}
