/// Scripts follow from their seeds, and users play them.
@NullMarked
package dev.millwright.world.scenario;

import org.jspecify.annotations.NullMarked;
