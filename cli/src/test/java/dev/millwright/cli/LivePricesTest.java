package dev.millwright.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.cli.market.LiveMarket;
import dev.millwright.testing.kit.aws.ApiFault;
import dev.millwright.testing.kit.aws.fake.FakeAccount;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

/// Prices as AWS tells them to who has credentials.
class LivePricesTest {

    private final FakeAccount account = FakeAccount.shared();
    private final List<String> asked = new ArrayList<>();

    @BeforeEach
    void renew() {
        account.fixture();
    }

    @AfterEach
    void mend() {
        account.noFaults();
    }

    private LiveMarket.Asked open(String region) {
        asked.add(region);
        var apis = account.clients().apis();
        return new LiveMarket.Asked(apis.ec2(), apis.pricing(), () -> asked.add("closed"));
    }

    private CommandRun run(Site site, String... arguments) {
        return CommandRun.asking(this::open, site.yaml(), arguments);
    }

    @Test
    void pricesAreThoseOfTheAccountAndNoEstimates() {
        var run = run(Site.in("us-east-1a"), "simulate", "--prices", "aws", "-o", "json", "-");

        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(asked).containsExactly("us-east-1", "closed");
        assertThat(Site.at(run, "nodes/0/capacityType")).isEqualTo("spot");
        assertThat(Site.at(run, "nodes/0/estimated")).isEqualTo("none");
        assertThat(run.err()).contains("prices of us-east-1: as AWS said on ");
    }

    @Test
    void anAccountThatRefusesIsNamedWithTheWayOut() {
        account.fail(ApiFault.refuse("GetProducts", "AccessDeniedException", 400));
        var run = run(Site.in("us-east-1a"), "simulate", "--prices", "aws", "-");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err())
                .contains(
                        "AWS does not tell its prices",
                        "on-demand prices",
                        "leave --prices aws out")
                .doesNotContain("software.amazon");
        assertThat(asked).endsWith("closed");
    }
}
