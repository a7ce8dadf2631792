package dev.millwright.testing.kit.aws;

import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/// Hands the JVM's [AwsEndpoint] to tests that take one, each time with a fresh
/// [AwsEndpoint#fixture].
public final class AwsEndpointExtension implements BeforeEachCallback, ParameterResolver {

    @Override
    public void beforeEach(ExtensionContext context) {
        AwsEndpoint.shared().fixture();
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == AwsEndpoint.class;
    }

    @Override
    public AwsEndpoint resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return AwsEndpoint.shared();
    }
}
