package dev.millwright.providers.aws.start;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.kube.document.Tree;
import dev.millwright.providers.aws.start.StartUp.Found;
import dev.millwright.providers.aws.start.StartUp.Wanted;
import dev.millwright.testing.kit.aws.AccountClients;
import dev.millwright.testing.kit.aws.ApiFault;
import dev.millwright.testing.kit.aws.TestAccount;
import dev.millwright.testing.kit.aws.account.TestAccountExtension;
import dev.millwright.testing.kit.aws.account.TestAccounts;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(TestAccountExtension.class)
@Tag("account")
class StartUpTest {

    private static final String NAME = TestAccount.CLUSTER;

    private final TestAccount endpoint = TestAccounts.shared();
    private final AccountClients clients = endpoint.clients();
    private final StartUp startUp = new StartUp(clients.ec2(), clients.eks(), clients.zonalShift());

    @AfterEach
    void close() {
        clients.close();
    }

    @Test
    @Tag("AWS-H2")
    void theEndpointThatIsSetIsTakenWithoutAskingEks() {
        assertThat(startUp.explore(new Wanted(NAME, "https://set", "", "own", false)))
                .isEqualTo(new Found.Ready(new Surroundings("https://set", "own", "")));
        assertThat(endpoint.calls("DescribeCluster")).isZero();
    }

    @Test
    @Tag("AWS-H2")
    void whereNoneIsSetEksTellsTheEndpoint() {
        assertThat(startUp.explore(new Wanted(NAME, "", "set", "own", false)))
                .isEqualTo(new Found.Ready(new Surroundings("https://test-cluster", "set", "")));
    }

    @Test
    @Tag("AWS-H2")
    void whereNobodyKnowsTheAuthorityEksTellsIt() {
        endpoint.cluster(NAME, Tree.of("certificateAuthority", Tree.of("data", "ZWtz")));
        assertThat(startUp.explore(new Wanted(NAME, "https://set", "", "", false)))
                .isEqualTo(new Found.Ready(new Surroundings("https://set", "ZWtz", "")));
    }

    @Test
    @Tag("AWS-H2")
    void aClusterThatEksDoesNotKnowEndsTheStart() {
        assertThat(startUp.explore(new Wanted("none", "", "", "own", false)))
                .isInstanceOfSatisfying(
                        Found.Blocked.class,
                        blocked ->
                                assertThat(blocked.why())
                                        .contains(
                                                "\"none\"",
                                                "eks:DescribeCluster",
                                                "CLUSTER_ENDPOINT"));
    }

    @Test
    void anEc2ThatRefusesUsEndsTheStart() {
        endpoint.fail(ApiFault.refuse("DescribeInstanceTypes", "UnauthorizedOperation", 403));
        assertThat(startUp.explore(new Wanted(NAME, "https://set", "", "own", false)))
                .isInstanceOfSatisfying(
                        Found.Blocked.class,
                        blocked ->
                                assertThat(blocked.why())
                                        .contains(
                                                "UnauthorizedOperation",
                                                "ec2:DescribeInstanceTypes"));
    }

    @Test
    void zonalShiftsThatCannotBeReadEndTheStartWhenTheyAreFollowed() {
        var wanted = new Wanted(NAME, "https://set", "", "own", true);
        assertThat(startUp.explore(wanted))
                .isEqualTo(
                        new Found.Ready(
                                new Surroundings("https://set", "own", TestAccount.CLUSTER_ARN)));
        endpoint.fail(ApiFault.refuse("GetManagedResource", "AccessDeniedException", 403));
        assertThat(startUp.explore(wanted))
                .isInstanceOfSatisfying(
                        Found.Blocked.class,
                        blocked -> assertThat(blocked.why()).contains("ENABLE_ZONAL_SHIFT=false"));
    }
}
