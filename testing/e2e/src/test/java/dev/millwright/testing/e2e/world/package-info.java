/// Has one job: the real kubectl on a world.
@NullMarked
package dev.millwright.testing.e2e.world;

import org.jspecify.annotations.NullMarked;
