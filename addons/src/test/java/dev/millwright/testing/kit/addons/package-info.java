/// Has one job: Helm and workload clusters in memory, for steps of the add-ons.
@NullMarked
package dev.millwright.testing.kit.addons;

import org.jspecify.annotations.NullMarked;
