/// Has one job: explanations are true, and the changes they propose are enough and no more.
@NullMarked
package dev.millwright.testing.conformance.explain;

import org.jspecify.annotations.NullMarked;
