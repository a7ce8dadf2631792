/// Has one job: a set has as many machines of its template as it was told.
@NullMarked
package dev.millwright.capi.machine.set;

import org.jspecify.annotations.NullMarked;
