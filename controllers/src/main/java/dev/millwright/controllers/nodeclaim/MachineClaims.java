package dev.millwright.controllers.nodeclaim;

import dev.millwright.kube.object.ClaimObject;
import dev.millwright.spi.MachineClaim;

/// NodeClaims as a cloud is shown them.
public final class MachineClaims {

    private MachineClaims() {}

    public static MachineClaim of(ClaimObject claim) {
        var meta = claim.meta();
        var spec = claim.spec();
        return new MachineClaim(
                meta.name().name(),
                meta.uid(),
                meta.createdAt(),
                meta.labels(),
                meta.annotations(),
                spec.requirements(),
                spec.taints(),
                spec.startupTaints(),
                spec.requests(),
                spec.nodeClassRef(),
                claim.status().providerId(),
                claim.status().imageId());
    }
}
