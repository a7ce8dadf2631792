package dev.millwright.testing.kit.aws.account;

import dev.millwright.testing.kit.aws.TestAccount;

import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/// Hands the JVM's [TestAccount] to tests that take one, each time with a fresh
/// [TestAccount#fixture].
public final class TestAccountExtension implements BeforeEachCallback, ParameterResolver {

    @Override
    public void beforeEach(ExtensionContext context) {
        TestAccounts.shared().fixture();
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == TestAccount.class;
    }

    @Override
    public TestAccount resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return TestAccounts.shared();
    }
}
