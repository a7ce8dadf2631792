/// That a world does what a real control plane does.
@NullMarked
package dev.millwright.testing.e2e.world;

import org.jspecify.annotations.NullMarked;
