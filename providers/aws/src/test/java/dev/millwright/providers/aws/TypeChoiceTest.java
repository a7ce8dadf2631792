package dev.millwright.providers.aws;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.core.catalog.InstanceType;
import dev.millwright.core.catalog.Offering;
import dev.millwright.core.label.LabelKeys;
import dev.millwright.core.label.Operator;
import dev.millwright.core.label.Requirement;
import dev.millwright.core.label.Requirements;
import dev.millwright.spi.LaunchAnswer;
import dev.millwright.spi.ec2.Ec2Labels;
import dev.millwright.testing.kit.aws.account.TestAccountExtension;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.Comparator;
import java.util.List;

/// Which of the types a class can buy EC2 is asked for.
@ExtendWith(TestAccountExtension.class)
@Tag("account")
final class TypeChoiceTest {

    private static final Requirement ON_DEMAND =
            Requirement.in(LabelKeys.CAPACITY_TYPE, LabelKeys.CAPACITY_TYPE_ON_DEMAND);

    private final LaunchRig rig = new LaunchRig();

    @AfterEach
    void close() {
        rig.close();
    }

    @Test
    @Tag("AWS-D3")
    void theSixtyCheapestAreAskedFor() {
        assertThat(rig.launch(ON_DEMAND)).isInstanceOf(LaunchAnswer.Launched.class);

        var cheapest =
                rig.types().stream()
                        .filter(type -> onDemand(type) < Double.POSITIVE_INFINITY)
                        .filter(type -> !isExotic(type))
                        .filter(type -> LaunchRig.REQUESTS.fitsIn(type.allocatable()))
                        .sorted(
                                Comparator.comparingDouble(TypeChoiceTest::onDemand)
                                        .thenComparing(InstanceType::name))
                        .limit(60)
                        .map(InstanceType::name)
                        .toList();
        assertThat(rig.asked()).hasSize(60).containsExactlyInAnyOrderElementsOf(cheapest);
    }

    private static double onDemand(InstanceType type) {
        return type.offerings().stream()
                .filter(Offering::isAvailable)
                .filter(each -> each.capacityType().equals(LabelKeys.CAPACITY_TYPE_ON_DEMAND))
                .mapToDouble(Offering::pricePerHour)
                .min()
                .orElse(Double.POSITIVE_INFINITY);
    }

    private static boolean isExotic(InstanceType type) {
        return type.name().contains("metal")
                || List.of(Ec2Labels.GPU_NAME, Ec2Labels.ACCELERATOR_NAME).stream()
                        .anyMatch(key -> has(type.requirements(), key));
    }

    private static boolean has(Requirements requirements, String key) {
        return requirements.on(key).operator() == Operator.IN;
    }

    @Test
    @Tag("AWS-D3")
    void metalAndGpusAreAskedForByWhoWantsThem() {
        rig.launch(ON_DEMAND, Requirement.in(LabelKeys.INSTANCE_TYPE, "m5.metal", "g4dn.xlarge"));
        assertThat(rig.asked()).containsExactly("g4dn.xlarge", "m5.metal");

        rig.launch(ON_DEMAND, Requirement.in(LabelKeys.INSTANCE_TYPE, "m5.metal", "m5.large"));
        assertThat(rig.asked()).containsExactly("m5.large");
    }

    @Test
    @Tag("AWS-D3")
    void minValuesKeepMetal() {
        rig.launch(
                ON_DEMAND,
                Requirement.in(LabelKeys.INSTANCE_TYPE, "m5.metal", "m5.large").withMinValues(2));

        assertThat(rig.asked()).containsExactly("m5.large", "m5.metal");
    }

    @Test
    @Tag("AWS-D3")
    void minValuesThatSixtyTypesCannotMeetLaunchNothing() {
        assertThat(
                        rig.launch(
                                ON_DEMAND,
                                Requirement.exists(LabelKeys.INSTANCE_TYPE).withMinValues(61)))
                .isInstanceOf(LaunchAnswer.InsufficientCapacity.class);
    }

    @ParameterizedTest
    @Tag("AWS-D12")
    @CsvSource({
        "default, default",
        "dedicated, dedicated",
        "default|dedicated, default",
        "dedicated|host, dedicated",
        "'', default",
    })
    void tenancyIsDefaultUnlessTheClaimRulesItOut(String wanted, String tenancy) {
        var type = Requirement.in(LabelKeys.INSTANCE_TYPE, "m5.large");
        if (wanted.isEmpty()) {
            rig.launch(ON_DEMAND, type);
        } else {
            rig.launch(ON_DEMAND, type, Requirement.in(Ec2Labels.TENANCY, wanted.split("\\|")));
        }

        assertThat(rig.tenancies()).containsExactly(tenancy);
    }

    @Test
    @Tag("AWS-D12")
    void aTenancyNobodyHasLaunchesNothing() {
        assertThat(rig.launch(ON_DEMAND, Requirement.in(Ec2Labels.TENANCY, "host")))
                .isInstanceOf(LaunchAnswer.InsufficientCapacity.class);
        assertThat(rig.tenancies()).isEmpty();
    }
}
