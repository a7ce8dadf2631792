package dev.millwright.controllers.provisioning;

import dev.millwright.core.policy.NodePool;
import dev.millwright.spi.CatalogAnswer;

/// What each pool can buy now.
@FunctionalInterface
public interface Catalogs {
    CatalogAnswer of(NodePool nodePool);
}
