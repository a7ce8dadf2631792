/// Has one job: exact amounts and spans of time in Kubernetes' notation. It imports nothing of
/// ours.
@NullMarked
package dev.millwright.core.quantity;

import org.jspecify.annotations.NullMarked;
