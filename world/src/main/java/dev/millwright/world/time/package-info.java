/// Virtual time: what is to happen, and when.
@NullMarked
package dev.millwright.world.time;

import org.jspecify.annotations.NullMarked;
