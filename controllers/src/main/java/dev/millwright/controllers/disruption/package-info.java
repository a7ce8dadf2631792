/// Taking nodes away on our own account: the pass that chooses them, and the queue that sees each
/// choice through or takes it back. Decisions are core's.
@NullMarked
package dev.millwright.controllers.disruption;

import org.jspecify.annotations.NullMarked;
