/// Whether the processes that charts start ask for all that the charts let them do, and for nothing
/// else. Knows control planes and Helm's rendering; tests of processes take their accounts here.
@NullMarked
package dev.millwright.testing.e2e.rights;

import org.jspecify.annotations.NullMarked;
