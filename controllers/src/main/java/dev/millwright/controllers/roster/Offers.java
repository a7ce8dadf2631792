package dev.millwright.controllers.roster;

import dev.millwright.controllers.provisioning.Catalogs;
import dev.millwright.spi.OverlayStore;

/// What pools can buy: `plain` as the cloud says, `catalogs` with the overlays of the store laid.
public record Offers(Catalogs plain, Catalogs catalogs, OverlayStore store) {

    /// Without overlays the two are the same, and no pool waits to be evaluated.
    public static Offers withoutOverlays(Catalogs plain) {
        return new Offers(plain, plain, new OverlayStore());
    }
}
