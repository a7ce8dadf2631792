package dev.millwright.providers.aws.launch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millwright.spi.CatalogAnswer;
import dev.millwright.testing.kit.aws.TestAccount;
import dev.millwright.testing.kit.aws.account.TestAccountExtension;
import dev.millwright.testing.kit.aws.account.TestAccounts;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import java.util.TreeMap;

/// What a shadow asks of AWS, beside a Karpenter that keeps the classes.
@ExtendWith(TestAccountExtension.class)
@Tag("account")
final class ReadersTest {

    private final TestAccount endpoint = TestAccounts.shared();
    private final CloudRig rig = new CloudRig();

    @AfterEach
    void close() {
        rig.close();
    }

    @Test
    void aShadowKnowsWhatIsForSaleAndCallsNothingThatChangesAnything() {
        rig.nodeClass();
        var before = endpoint.calls();
        var written = rig.rig().api().writes();

        rig.readers().forEach(rig.rig()::run);
        var catalogue = rig.cloud().catalog(rig.rig().pool("default").pool());

        assertThat(catalogue)
                .isInstanceOfSatisfying(
                        CatalogAnswer.Types.class, told -> assertThat(told.types()).isNotEmpty());
        var calls = new TreeMap<>(endpoint.calls());
        calls.entrySet().removeIf(call -> call.getValue().equals(before.get(call.getKey())));
        assertThat(calls.keySet())
                .isNotEmpty()
                .allMatch(action -> action.matches("(Describe|Get|List)[A-Z].*"));
        assertThat(rig.rig().api().writes()).isEqualTo(written);
    }
}
