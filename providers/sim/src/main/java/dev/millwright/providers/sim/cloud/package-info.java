/// Has one job: a cloud that is simulated down to its bad days.
/// [dev.millwright.providers.sim.cloud.SimCloud] decides on explicit time and from one seed; the
/// provider around it brings clock and patience. It imports the catalogues, `spi`, `core` and the
/// reader of documents.
@NullMarked
package dev.millwright.providers.sim.cloud;

import org.jspecify.annotations.NullMarked;
