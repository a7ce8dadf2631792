package dev.millwright.providers.aws.classes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.kube.document.Tree;
import dev.millwright.providers.aws.controllers.providers.SsmInvalidationController;
import dev.millwright.providers.aws.nodeclass.NodeClassStatus.Ami;
import dev.millwright.testing.kit.aws.ApiFault;
import dev.millwright.testing.kit.aws.TestAccount;
import dev.millwright.testing.kit.aws.account.TestAccountExtension;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import java.time.Duration;
import java.util.List;

/// Which images terms other than an alias lead to, and what of the parameter store is kept.
@ExtendWith(TestAccountExtension.class)
@Tag("account")
class ImageTermsTest {

    private static final String OWNER_OF_OTHERS = "999999999999";

    private static ClassRig looked(String terms) {
        var rig = new ClassRig().make("amiFamily", "Custom", "amiSelectorTerms", terms);
        rig.look();
        return rig;
    }

    private static List<String> found(String terms) {
        return ids(looked(terms));
    }

    private static List<String> ids(ClassRig rig) {
        return rig.status().amis().stream().map(Ami::id).toList();
    }

    private static Tree image(String id, String name, String createdAt) {
        return Tree.of("ImageId", id)
                .put("Name", name)
                .put("Architecture", "x86_64")
                .put("CreationDate", createdAt + "T00:00:00.000Z");
    }

    private static Tree tags(Tree image, String value) {
        return image.putList("Tags", List.of(Tree.of("Key", "kind").put("Value", value).mapping()));
    }

    @Test
    @Tag("AWS-C2")
    void aParameterLeadsToTheImageItNames(TestAccount aws) {
        aws.parameter("/own/image", "ami-test2");
        aws.parameter("/own/text", "hello");

        assertThat(found("[{ssmParameter: /own/image}]")).containsExactly("ami-test2");
        var rig = looked("[{ssmParameter: /own/text}, {id: ami-test4}]");
        assertThat(ids(rig)).containsExactly("ami-test4");
        assertThat(rig.rig().lines()).anyMatch(line -> line.toString().contains("hello"));
    }

    @Test
    @Tag("AWS-C2")
    void aMissingParameterIsPassedOverAndAnotherFaultIsNot(TestAccount aws) {
        assertThat(found("[{ssmParameter: /none}, {id: ami-test4}]")).containsExactly("ami-test4");
        assertThat(looked("[{ssmParameter: /none}]").condition("AMIsReady"))
                .isEqualTo("False AMINotFound");

        aws.fail(ApiFault.refuse("GetParameter", "AccessDeniedException", 400).always());
        var rig =
                new ClassRig()
                        .make(
                                "amiFamily",
                                "Custom",
                                "amiSelectorTerms",
                                "[{ssmParameter: /x}, {id: ami-test4}]");
        assertThat(rig.look().toString()).contains("AccessDeniedException");
        assertThat(rig.condition("AMIsReady")).isEqualTo("Unknown AwaitingReconciliation");
    }

    @Test
    @Tag("AWS-C2")
    void aParameterOfATermIsAskedForAgainAfterFiveMinutes(TestAccount aws) {
        aws.parameter("/own/image", "ami-test1");
        var rig = looked("[{ssmParameter: /own/image}]");
        aws.parameter("/own/image", "ami-test2");
        rig.lookAfter(Duration.ofSeconds(299));
        assertThat(ids(rig)).containsExactly("ami-test1");

        rig.lookAfter(Duration.ofSeconds(1));
        assertThat(ids(rig)).containsExactly("ami-test2");
    }

    @Test
    @Tag("AWS-C2")
    void whatAFollowingAliasLedToIsForgottenOnceDeprecated(TestAccount aws) {
        var path =
                "/aws/service/eks/optimized-ami/1.35/amazon-linux-2023/x86_64/standard/recommended/image_id";
        var rig = new ClassRig().make();
        rig.look();
        var asked = aws.calls("GetParameter");
        aws.images(
                image("ami-al2023amd64standard", "a", "2026-01-01")
                        .put("DeprecationTime", "2026-01-01T00:00:00.000Z"));
        aws.parameter(path, "ami-test2");
        var invalidation = new SsmInvalidationController(rig.images());
        assertThat(rig.rig().run(invalidation).toString()).contains("PT30M");
        rig.lookAfter(Duration.ofMinutes(1));

        assertThat(ids(rig)).contains("ami-test2", "ami-al2023arm64standard");
        assertThat(aws.calls("GetParameter")).isEqualTo(asked + 1);
    }

    @Test
    @Tag("AWS-C2")
    void whatAPinnedAliasLedToIsKeptThoughDeprecated(TestAccount aws) {
        var rig = new ClassRig().make("amiSelectorTerms", "[{alias: al2023@v20260101}]");
        rig.look();
        var asked = aws.calls("GetParameter");
        rig.rig().advance(Duration.ofHours(23));
        aws.images(
                image("ami-al2023amd64standardold", "a", "2026-01-01")
                        .put("DeprecationTime", "2026-01-01T00:00:00.000Z"));
        rig.rig().run(new SsmInvalidationController(rig.images()));
        rig.look();

        assertThat(ids(rig)).contains("ami-al2023amd64standardold");
        assertThat(aws.calls("GetParameter")).isEqualTo(asked);
    }

    @Test
    @Tag("AWS-C3")
    void imagesThatAreNotAvailableDoNotCount(TestAccount aws) {
        aws.images(image("ami-pending", "pending", "2026-12-01").put("State", "pending"));

        assertThat(found("[{id: ami-pending}, {id: ami-test1}]")).containsExactly("ami-test1");
    }

    @Test
    @Tag("AWS-C3")
    void anOlderImageInUseBeatsADeprecatedOne(TestAccount aws) {
        aws.images(
                image("ami-old", "old", "2025-01-01"),
                image("ami-new", "new", "2025-12-01")
                        .put("DeprecationTime", "2025-12-31T00:00:00.000Z"));

        assertThat(found("[{id: ami-old}, {id: ami-new}]")).containsExactly("ami-old");
    }

    @Test
    @Tag("AWS-C3")
    void ofTwoImagesTheNewerCountsThenTheLaterName(TestAccount aws) {
        aws.images(
                image("ami-1", "a", "2025-01-01"),
                image("ami-2", "c", "2025-01-01"),
                image("ami-3", "b", "2025-01-01"),
                image("ami-4", "d", "2025-06-01")
                        .put("DeprecationTime", "2025-12-31T00:00:00.000Z"),
                image("ami-5", "e", "2025-07-01")
                        .put("DeprecationTime", "2025-12-31T00:00:00.000Z"));

        assertThat(found("[{id: ami-1}, {id: ami-2}, {id: ami-3}]")).containsExactly("ami-2");
        assertThat(found("[{id: ami-4}, {id: ami-5}]")).containsExactly("ami-5");
        assertThat(found("[{id: ami-test1}, {id: ami-test3}, {id: ami-test4}]"))
                .containsExactly("ami-test4", "ami-test3");
    }

    @Test
    @Tag("AWS-C3")
    void theTagsOfOneTermMustAllHoldAndTermsAddUp() {
        assertThat(found("[{tags: {foo: bar, Name: test-ami-2}}]")).containsExactly("ami-test2");
        assertThat(found("[{tags: {Name: test-ami-2}}, {tags: {Name: test-ami-4}}]"))
                .containsExactly("ami-test4", "ami-test2");
        assertThat(found("[{tags: {foo: '*', Name: none}}]")).isEmpty();
    }

    @Test
    @Tag("AWS-C3")
    void aNameMeansOnesOwnAndAmazonsImagesAndTagsAnybodys(TestAccount aws) {
        aws.images(
                tags(image("ami-other", "other", "2026-12-01"), "x")
                        .put("OwnerId", OWNER_OF_OTHERS));

        assertThat(found("[{name: other}]")).isEmpty();
        assertThat(found("[{name: other, owner: '" + OWNER_OF_OTHERS + "'}]"))
                .containsExactly("ami-other");
        assertThat(found("[{name: test-ami-1}]")).containsExactly("ami-test1");
        assertThat(found("[{name: amazon-eks-node-al2023-x86_64-standard-1.35-v20260901}]"))
                .containsExactly("ami-al2023amd64standard");
        assertThat(found("[{tags: {kind: x}}]")).containsExactly("ami-other");
        assertThat(found("[{tags: {kind: x}, owner: self}]")).isEmpty();
        assertThat(found("[{id: ami-other}]")).containsExactly("ami-other");
    }

    @Test
    @Tag("AWS-C3")
    void architecturesThatKubernetesDoesNotRunOnAreLeftOut(TestAccount aws) {
        aws.images(image("ami-mac", "mac", "2026-12-01").put("Architecture", "x86_64_mac"));

        assertThat(found("[{id: ami-mac}, {id: ami-test1}]")).containsExactly("ami-test1");
    }

    @Test
    @Tag("AWS-C3")
    void anAnswerIsGoodForAMinuteForWhoeverAsksTheSame(TestAccount aws) {
        var rig = looked("[{id: ami-test1}, {name: test-ami-*}, {tags: {foo: bar}}]");
        assertThat(aws.calls("DescribeImages")).isEqualTo(3);
        rig.lookAfter(Duration.ofSeconds(59));
        assertThat(aws.calls("DescribeImages")).isEqualTo(3);
        rig.change("amiSelectorTerms", "[{tags: {foo: bar}}, {id: ami-test2}]").look();
        assertThat(aws.calls("DescribeImages")).isEqualTo(4);

        rig.lookAfter(Duration.ofSeconds(1));
        assertThat(aws.calls("DescribeImages")).isEqualTo(5);
    }
}
