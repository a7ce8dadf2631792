/// Runs steps by hand, without a loop: the rig of every operator's tests.
@NullMarked
package dev.millwright.testing.kit.step;

import org.jspecify.annotations.NullMarked;
