/// A whole cluster in one process, on virtual time, from one seed: the operator's own steps, a
/// store in place of the API server, a simulated cloud, and what lives between them.
@NullMarked
package dev.millwright.world;

import org.jspecify.annotations.NullMarked;
