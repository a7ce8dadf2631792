/// The simulated cloud as a world's part: calls that are answered later, and what happens to
/// machines told to those who play kubelets.
@NullMarked
package dev.millwright.world.cloud;

import org.jspecify.annotations.NullMarked;
