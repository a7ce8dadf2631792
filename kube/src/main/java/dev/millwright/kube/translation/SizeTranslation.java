package dev.millwright.kube.translation;

import dev.millwright.core.quantity.Quantity;
import dev.millwright.core.quantity.Resources;
import dev.millwright.kube.document.Field;

/// Amounts in the plain numbers of problem files, and by name for all that has no field of its own.
public final class SizeTranslation {

    private SizeTranslation() {}

    public static Resources resources(Field size) {
        var resources = size.at("resources").resources();
        var cpuMillis = size.at("cpuMilli").whole(0, Long.MAX_VALUE);
        if (cpuMillis != null) {
            resources = resources.with(Resources.CPU, Quantity.ofMillis(cpuMillis));
        }
        var memoryBytes = size.at("memoryBytes").whole(0, Long.MAX_VALUE);
        if (memoryBytes != null) {
            resources = resources.with(Resources.MEMORY, Quantity.ofUnits(memoryBytes));
        }
        var pods = size.at("pods").whole(0, Long.MAX_VALUE);
        if (pods != null) {
            resources = resources.with(Resources.PODS, Quantity.ofUnits(pods));
        }
        return resources;
    }
}
