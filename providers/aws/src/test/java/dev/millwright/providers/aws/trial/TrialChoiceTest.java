package dev.millwright.providers.aws.trial;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.catalog.Offering;
import dev.millwright.core.catalog.Overhead;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.Operator;
import dev.millwright.core.label.Requirement;
import dev.millwright.core.label.Requirements;
import dev.millwright.core.label.SelectorRequirement;
import dev.millwright.core.policy.NodePool;
import dev.millwright.core.policy.NodePool.NodeClassRef;
import dev.millwright.core.quantity.Resources;
import dev.millwright.providers.aws.nodeclass.Classes;
import dev.millwright.providers.aws.nodeclass.Ec2NodeClass;
import dev.millwright.providers.aws.nodeclass.NodeClassStatus;
import dev.millwright.providers.aws.nodeclass.NodeClassStatus.Ami;
import dev.millwright.spi.ec2.Ec2Labels;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

class TrialChoiceTest {

    private static final Ami PLAIN =
            new Ami(
                    "ami-plain",
                    "plain",
                    false,
                    List.of(
                            in(LabelKeys.ARCH, "amd64"),
                            bare(Ec2Labels.GPU_COUNT, Operator.DOES_NOT_EXIST)));
    private static final Ami NVIDIA =
            new Ami(
                    "ami-nvidia",
                    "nvidia",
                    false,
                    List.of(
                            in(LabelKeys.ARCH, "amd64"),
                            bare(Ec2Labels.GPU_COUNT, Operator.EXISTS)));

    private static final InstanceType G5 =
            type("g5.xlarge", "amd64", Requirement.in(Ec2Labels.GPU_COUNT, "1"));
    private static final InstanceType C5 =
            type("c5.large", "amd64", Requirement.doesNotExist(Ec2Labels.GPU_COUNT));
    private static final InstanceType M5 =
            type("m5.large", "amd64", Requirement.doesNotExist(Ec2Labels.GPU_COUNT));
    private static final InstanceType M6G =
            type("m6g.large", "arm64", Requirement.doesNotExist(Ec2Labels.GPU_COUNT));

    private static SelectorRequirement in(String key, String value) {
        return new SelectorRequirement(key, Operator.IN, List.of(value), null);
    }

    private static SelectorRequirement bare(String key, Operator operator) {
        return new SelectorRequirement(key, operator, List.of(), null);
    }

    private static InstanceType type(String name, String arch, Requirement gpus) {
        return new InstanceType(
                name,
                Requirements.of(
                        Requirement.in(LabelKeys.INSTANCE_TYPE, name),
                        Requirement.in(LabelKeys.ARCH, arch),
                        gpus),
                List.of(),
                Resources.NONE,
                Overhead.NONE);
    }

    private static NodePool pool(Requirement... requirements) {
        return new NodePool(
                "default",
                0,
                Resources.NONE,
                new NodePool.Template(
                        new TreeMap<>(),
                        new TreeMap<>(),
                        List.of(requirements),
                        List.of(),
                        List.of(),
                        new NodeClassRef("karpenter.k8s.aws", "EC2NodeClass", "default")),
                null,
                true,
                false);
    }

    private static @Nullable TrialChoice choice(
            String spec, List<Ami> amis, List<InstanceType> types, NodePool... pools) {
        var before = Classes.ofSpec(spec);
        var nodeClass =
                new Ec2NodeClass(
                        before.meta(),
                        before.spec(),
                        NodeClassStatus.NONE.withAmis(new ArrayList<>(amis)),
                        before.conditions(),
                        before.writtenSpec(),
                        before.faults());
        return TrialChoice.of(types, List.of(pools), nodeClass, Ec2Labels.VOCABULARY);
    }

    @Test
    void aTypeThatAPoolWouldLaunchAndThatTakesAPlainImageComesFirst() {
        var choice =
                choice("amiFamily: AL2023", List.of(NVIDIA, PLAIN), List.of(G5, C5, M5), pool());

        assertThat(choice).isEqualTo(new TrialChoice(C5, PLAIN, "default"));
    }

    @Test
    void whereAllPoolsWantGpusOneOfThoseIsTried() {
        var choice =
                choice(
                        "amiFamily: AL2023",
                        List.of(NVIDIA, PLAIN),
                        List.of(G5, C5, M5),
                        pool(Requirement.exists(Ec2Labels.GPU_COUNT)));

        assertThat(choice).isEqualTo(new TrialChoice(G5, NVIDIA, "default"));
    }

    @Test
    void withoutPoolsOrForWindowsTheFallbacksAreTried() {
        assertThat(choice("amiFamily: AL2023", List.of(PLAIN), List.of(G5, C5, M5)))
                .extracting(choice -> choice.type().name())
                .isEqualTo("m5.large");
        assertThat(choice("amiFamily: Windows2022", List.of(PLAIN), List.of(C5, M5), pool()))
                .extracting(choice -> choice.type().name())
                .isEqualTo("m5.large");
        assertThat(choice("amiFamily: AL2023", List.of(PLAIN), List.of(G5, C5)))
                .extracting(choice -> choice.type().name())
                .isEqualTo("c5.large");
    }

    @Test
    void whatCannotBeHadIsTriedOnlyWhereNothingCan() {
        var out = C5.withOfferings(List.of(Offering.of("zone", "on-demand", 1).unavailable()));
        var there = M5.withOfferings(List.of(Offering.of("zone", "on-demand", 1)));

        assertThat(choice("amiFamily: AL2023", List.of(PLAIN), List.of(out, there), pool()))
                .extracting(TrialChoice::type)
                .isEqualTo(there);
        assertThat(choice("amiFamily: AL2023", List.of(PLAIN), List.of(out), pool()))
                .extracting(TrialChoice::type)
                .isEqualTo(out);
    }

    @Test
    void whereNoTypeTakesAnyImageThereIsNothingToTry() {
        assertThat(choice("amiFamily: AL2023", List.of(PLAIN), List.of(M6G), pool())).isNull();
    }

    @Test
    void dedicatedTenancyIsTriedWhereAPoolAsksForIt() {
        assertThat(
                        choice(
                                "amiFamily: AL2023",
                                List.of(PLAIN),
                                List.of(M5),
                                pool(),
                                pool(Requirement.in(Ec2Labels.TENANCY, "dedicated"))))
                .extracting(TrialChoice::tenancy)
                .isEqualTo("dedicated");
    }
}
