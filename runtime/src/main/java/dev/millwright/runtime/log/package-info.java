/// Has one job: lines of the operator's log, one JSON object each. Imports nothing of the other
/// controllers.
@NullMarked
package dev.millwright.runtime.log;

import org.jspecify.annotations.NullMarked;
