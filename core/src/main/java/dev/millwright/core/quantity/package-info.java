/// Has one job: exact amounts in Kubernetes' notation. It imports nothing of ours.
@NullMarked
package dev.millwright.core.quantity;

import org.jspecify.annotations.NullMarked;
