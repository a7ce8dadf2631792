/// Has one job: what is in a cluster and what its users do over time, as a script that follows from
/// a seed. It decides nothing at play time, so that a line can be left out and the rest stays.
@NullMarked
package dev.millwright.world.scenario;

import org.jspecify.annotations.NullMarked;
