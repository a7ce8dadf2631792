package dev.millwright.spi;

import dev.millwright.core.catalog.InstanceType;

import java.util.List;

/// What a pool can buy. Types without an available offering are in the list too.
public sealed interface CatalogAnswer {

    record Types(List<InstanceType> types) implements CatalogAnswer {
        public Types {
            types = List.copyOf(types);
        }
    }

    /// Overlays have not been worked into the pool's types yet; the pool sits this pass out.
    record Unevaluated() implements CatalogAnswer {}

    record Failed(String message) implements CatalogAnswer {}
}
