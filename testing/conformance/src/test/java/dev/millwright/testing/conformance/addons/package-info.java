/// The add-ons' decisions, on values and on a cluster in memory.
@NullMarked
package dev.millwright.testing.conformance.addons;

import org.jspecify.annotations.NullMarked;
