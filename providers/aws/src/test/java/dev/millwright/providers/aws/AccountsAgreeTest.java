package dev.millwright.providers.aws;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.providers.aws.api.Asked;
import dev.millwright.providers.aws.api.AwsFault;
import dev.millwright.providers.aws.api.Filter;
import dev.millwright.testing.kit.aws.AccountClients;
import dev.millwright.testing.kit.aws.AwsEndpoint;
import dev.millwright.testing.kit.aws.TestAccount;
import dev.millwright.testing.kit.aws.fake.FakeAccount;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/// The account in memory says of itself what the account behind the SDK says.
@Tag("endpoint")
class AccountsAgreeTest {

    private static final List<Filter> OURS =
            List.of(Filter.of("tag:karpenter.sh/discovery", TestAccount.CLUSTER));
    private static final Instant NOW = Instant.parse("2026-11-01T00:00:00Z");
    private static final String NONE = "none";
    private static final String PATH =
            "/aws/service/eks/optimized-ami/1.35/amazon-linux-2023/x86_64/standard/recommended/";

    private final FakeAccount fake = FakeAccount.shared();
    private final AwsEndpoint endpoint = AwsEndpoint.shared();
    private final AccountClients ofFake = fake.clients();
    private final AccountClients ofEndpoint = endpoint.clients();

    @BeforeEach
    void begin() {
        fake.fixture();
        endpoint.fixture();
    }

    @AfterEach
    void close() {
        ofFake.close();
        ofEndpoint.close();
    }

    @FunctionalInterface
    private interface Asking {
        Object ask(AccountClients aws) throws AwsFault;
    }

    enum Question {
        SUBNETS(aws -> aws.ec2().subnets(OURS)),
        NO_SUBNETS(aws -> aws.ec2().subnets(List.of(Filter.of("tag:Name", NONE)))),
        SECURITY_GROUPS(aws -> aws.ec2().securityGroups(OURS)),
        IMAGES_OF_AMAZON(aws -> aws.ec2().images(List.of("amazon"), List.of())),
        OWN_IMAGES(aws -> aws.ec2().images(List.of("self"), List.of())),
        IMAGES_BY_NAME(
                aws -> aws.ec2().images(List.of(), List.of(Filter.of("name", "test-ami-?")))),
        ZONES_BY_TYPE(aws -> aws.ec2().zonesByType()),
        TYPES(AccountsAgreeTest::types),
        SPOT_PRICES(AccountsAgreeTest::spotPrices),
        PRODUCTS(aws -> aws.pricing().products(new TreeMap<>(Map.of("tenancy", "Shared"))).size()),
        PARAMETER(aws -> aws.ssm().parameter(PATH + "image_id")),
        MISSING_PARAMETER(aws -> aws.ssm().parameter(PATH + NONE)),
        CLUSTER(aws -> aws.eks().cluster(TestAccount.CLUSTER)),
        MISSING_CLUSTER(aws -> aws.eks().cluster(NONE)),
        SHIFTS(aws -> aws.zonalShift().shifts(TestAccount.CLUSTER_ARN)),
        SHIFTS_OF_NOTHING(aws -> aws.zonalShift().shifts(TestAccount.CLUSTER_ARN + NONE)),
        ROLE(aws -> aws.iam().roleArn(TestAccount.ROLE)),
        MISSING_ROLE(aws -> aws.iam().roleArn(NONE)),
        PROFILES(aws -> aws.iam().profiles("/")),
        MISSING_PROFILE(aws -> aws.iam().profile(NONE)),
        TEMPLATES(aws -> aws.ec2().launchTemplates(OURS)),
        MISSING_TEMPLATE(aws -> aws.ec2().launchTemplate(NONE)),
        INSTANCES(aws -> aws.ec2().instances(List.of(), List.of(Filter.ALIVE))),
        MISSING_INSTANCE(aws -> aws.ec2().instances(List.of("i-1"), List.of())),
        MISSING_INSTANCES(aws -> aws.ec2().terminate(List.of("i-1", "i-2"))),
        STATUSES(aws -> aws.ec2().statuses(List.of())),
        MISSING_RESERVATION(aws -> aws.ec2().capacityReservations(List.of("cr-1"), List.of())),
        PLACEMENT_GROUPS(aws -> aws.ec2().placementGroups(List.of())),
        STRANGE_FILTER(aws -> aws.ec2().images(List.of(), List.of(Filter.of("hue", "red"))));

        private final Asking asking;

        Question(Asking asking) {
            this.asking = asking;
        }

        /// The value, or the code of the fault.
        private Object answer(AccountClients aws) {
            return switch (Asked.of(() -> asking.ask(aws))) {
                case Asked.Told<Object>(var value) -> value;
                case Asked.Refused<Object>(var fault) -> fault.code();
            };
        }
    }

    @ParameterizedTest
    @EnumSource
    void aFreshAccountIsTheSame(Question question) {
        assertThat(question.answer(ofFake)).isEqualTo(question.answer(ofEndpoint));
    }

    private static Object types(AccountClients aws) throws AwsFault {
        var names = new TreeSet<String>();
        aws.ec2().instanceTypes().forEach(type -> names.add(type.name()));
        return names;
    }

    /// When a price was told is the account's clock.
    private static Object spotPrices(AccountClients aws) throws AwsFault {
        var prices = new TreeMap<String, BigDecimal>();
        aws.ec2()
                .spotPrices(NOW)
                .forEach(each -> prices.put(each.instanceType() + each.zone(), each.price()));
        return prices;
    }
}
