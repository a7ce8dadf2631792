/// The simulated cloud: what it sells. Reads the catalogue of EC2 and makes that of kwok, as values
/// of core. May import core only.
@NullMarked
package dev.millwright.providers.sim;

import org.jspecify.annotations.NullMarked;
