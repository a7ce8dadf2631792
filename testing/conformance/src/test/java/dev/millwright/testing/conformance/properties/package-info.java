/// Has one job: what holds for every problem, tried on seeded random worlds.
@NullMarked
package dev.millwright.testing.conformance.properties;

import org.jspecify.annotations.NullMarked;
