package dev.millwright.testing.e2e;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/// Hands the one control plane of this JVM to tests that take a [ControlPlane]. It runs all
/// components and ends with the last test; a test that breaks parts of it for long starts one of
/// its own.
public final class ControlPlaneExtension implements ParameterResolver {
    private static final Namespace NAMESPACE = Namespace.create(ControlPlaneExtension.class);

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == ControlPlane.class;
    }

    @Override
    public ControlPlane resolveParameter(ParameterContext parameter, ExtensionContext context) {
        // The root's store closes what is in it.
        return context.getRoot()
                .getStore(NAMESPACE)
                .computeIfAbsent(
                        ControlPlane.class,
                        _ -> ControlPlane.start(ControlPlane.Options.all()),
                        ControlPlane.class);
    }
}
