/// Has one job: fleets to be shown that come from no cluster. It imports `dashboard`.
@NullMarked
package dev.millwright.testing.kit.dashboard;

import org.jspecify.annotations.NullMarked;
