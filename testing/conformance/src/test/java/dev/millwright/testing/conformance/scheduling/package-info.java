/// Has one job: which nodes a plan launches and which pods it puts where, or leaves waiting and
/// why.
@NullMarked
package dev.millwright.testing.conformance.scheduling;

import org.jspecify.annotations.NullMarked;
