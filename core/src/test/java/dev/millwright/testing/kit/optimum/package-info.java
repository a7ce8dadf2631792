/// Has one job: the true optimum of small problems, to measure plans and bounds by. Like the
/// checker it is slow and obvious on purpose, and of core it reads values only.
@NullMarked
package dev.millwright.testing.kit.optimum;

import org.jspecify.annotations.NullMarked;
