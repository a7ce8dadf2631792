package dev.millwright.core.catalog;

import dev.millwright.core.quantity.Resources;

/// What the machine keeps for itself: pods get capacity less all three.
public record Overhead(
        Resources kubeReserved, Resources systemReserved, Resources evictionThreshold) {

    public static final Overhead NONE =
            new Overhead(Resources.NONE, Resources.NONE, Resources.NONE);

    public static Overhead ofKubeReserved(Resources kubeReserved) {
        return new Overhead(kubeReserved, Resources.NONE, Resources.NONE);
    }

    public Resources total() {
        return kubeReserved.plus(systemReserved).plus(evictionThreshold);
    }
}
