/// Has one job: static pools keep their number of nodes.
@NullMarked
package dev.millwright.testing.conformance.statics;

import org.jspecify.annotations.NullMarked;
