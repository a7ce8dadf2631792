package dev.millwright.testing.kit.aws.account;

import dev.millwright.testing.kit.aws.AwsEndpoint;
import dev.millwright.testing.kit.aws.TestAccount;
import dev.millwright.testing.kit.aws.fake.FakeAccount;

/// Chooses between the accounts by the system property [#CHOICE].
public final class TestAccounts {

    /// The property's value is `fake`, the default, or `endpoint`.
    public static final String CHOICE = "millwright.aws";

    private TestAccounts() {}

    /// The account of this JVM, shared by all test classes. A test begins with
    /// [TestAccount#fixture].
    public static TestAccount shared() {
        var choice = System.getProperty(CHOICE, "fake");
        return switch (choice) {
            case "fake" -> FakeAccount.shared();
            case "endpoint" -> AwsEndpoint.shared();
            default ->
                    throw new IllegalArgumentException(
                            "system property %s is \"%s\"; wanted \"fake\" or \"endpoint\""
                                    .formatted(CHOICE, choice));
        };
    }
}
