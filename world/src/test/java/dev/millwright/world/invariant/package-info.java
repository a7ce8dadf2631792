/// Each invariant is shown the bug it guards against, and a story in which nothing is wrong.
@NullMarked
package dev.millwright.world.invariant;

import org.jspecify.annotations.NullMarked;
