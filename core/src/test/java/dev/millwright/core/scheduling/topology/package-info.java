/// Has one job: topology: spread, affinity, anti-affinity and the cluster's default constraints
/// (group C).
@NullMarked
package dev.millwright.core.scheduling.topology;

import org.jspecify.annotations.NullMarked;
