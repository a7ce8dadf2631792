package dev.millwright.controllers.runtime;

import dev.millwright.core.policy.NodePool;
import dev.millwright.spi.CatalogAnswer;
import dev.millwright.spi.CloudProvider;
import dev.millwright.spi.CloudTraits;
import dev.millwright.spi.DriftAnswer;
import dev.millwright.spi.FindAnswer;
import dev.millwright.spi.LaunchAnswer;
import dev.millwright.spi.ListAnswer;
import dev.millwright.spi.MachineClaim;
import dev.millwright.spi.TerminateAnswer;

/// The cloud of an operator whose steps never ask one. Asking it is a bug, which the loop tells.
public final class NoCloud implements CloudProvider {

    private static IllegalStateException asked() {
        return new IllegalStateException("this operator has no cloud; no step of it may ask one");
    }

    @Override
    public CloudTraits traits() {
        throw asked();
    }

    @Override
    public LaunchAnswer launch(MachineClaim claim) {
        throw asked();
    }

    @Override
    public TerminateAnswer terminate(MachineClaim claim) {
        throw asked();
    }

    @Override
    public FindAnswer find(String providerId) {
        throw asked();
    }

    @Override
    public ListAnswer list() {
        throw asked();
    }

    @Override
    public CatalogAnswer catalog(NodePool nodePool) {
        throw asked();
    }

    @Override
    public DriftAnswer drift(MachineClaim claim) {
        throw asked();
    }
}
