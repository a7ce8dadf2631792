/// Has one job: what is written to the API is what was decided.
@NullMarked
package dev.millwright.testing.conformance.claims;

import org.jspecify.annotations.NullMarked;
