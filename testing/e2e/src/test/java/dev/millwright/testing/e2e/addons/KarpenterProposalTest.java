package dev.millwright.testing.e2e.addons;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.testing.e2e.Tools;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.file.Files;
import java.util.TreeSet;
import java.util.stream.Stream;

/// What we ship is what the proposal says, field by field, and beyond it only what it leaves open.
final class KarpenterProposalTest {

    private static final String OLD = "eks-controlplane-template";
    private static final String NEW = "eks-controlplane-template-without-karpenter";

    static Stream<Arguments> facts() {
        return KarpenterProposal.PROXIES.stream()
                .flatMap(
                        proxy ->
                                KarpenterProposal.fixed(proxy).entrySet().stream()
                                        .map(
                                                fact ->
                                                        Arguments.of(
                                                                proxy,
                                                                fact.getKey(),
                                                                fact.getValue())));
    }

    @ParameterizedTest(name = "{0}: {1} is {2}")
    @MethodSource("facts")
    void aProxyHasEveryFieldOfTheProposal(String proxy, String path, String value) {
        assertThat(KarpenterProposal.shipped(proxy)).containsEntry(path, value);
    }

    static Stream<String> proxies() {
        return KarpenterProposal.PROXIES.stream();
    }

    @ParameterizedTest
    @MethodSource("proxies")
    void aProxyHasNoOtherFieldsThanThoseThatAreLeftOpen(String proxy) {
        var beyond = new TreeSet<>(KarpenterProposal.shipped(proxy).keySet());
        beyond.removeAll(KarpenterProposal.fixed(proxy).keySet());
        assertThat(beyond).containsExactlyElementsOf(KarpenterProposal.added(proxy));
    }

    static Stream<Arguments> roles() {
        return KarpenterProposal.roles().entrySet().stream()
                .map(role -> Arguments.of(role.getKey(), role.getValue()));
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("roles")
    void theNewTemplateMakesTheRolesOfTheProposal(String argument, String ours) throws IOException {
        assertThat(template(NEW)).as(argument).contains(ours);
    }

    /// With single spaces: the layout of the text lines up what is assigned.
    private static String template(String name) throws IOException {
        return Files.readString(Tools.ROOT.resolve("deploy/capt/templates/%s.yaml".formatted(name)))
                .replaceAll(" +", " ");
    }

    @Test
    void theNewTemplateInstallsNothingAndTheOldOneStillDoes() throws IOException {
        assertThat(template(NEW))
                .doesNotContain("provider \"helm\"", "hashicorp/helm", "resource \"helm_release\"");
        assertThat(template(OLD))
                .contains("provider \"helm\"", "resource \"helm_release\" \"karpenter\"");
    }
}
