/// Has one job: from the numbers of a deployment's sets, which numbers to ask for next, so that at
/// no moment too few machines are available or too many are there. Values only; imports nothing.
@NullMarked
package dev.millwright.capi.machine.roll;

import org.jspecify.annotations.NullMarked;
