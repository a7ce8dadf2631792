package dev.millwright.testing.kit.aws.account;

import dev.millwright.testing.kit.aws.AwsEndpoint;
import dev.millwright.testing.kit.aws.TestAccount;

/// Knows which account tests get.
public final class TestAccounts {

    private TestAccounts() {}

    /// The account of this JVM, shared by all test classes. A test begins with
    /// [TestAccount#fixture].
    public static TestAccount shared() {
        return AwsEndpoint.shared();
    }
}
