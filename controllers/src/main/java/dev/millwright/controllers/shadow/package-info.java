/// Has one job: what we would have done in a cluster that another controller looks after, beside
/// what that one did. It reads and asks core; nothing here writes. Imports state, provisioning,
/// disruption, pricing, metrics and steps of the controllers.
@NullMarked
package dev.millwright.controllers.shadow;

import org.jspecify.annotations.NullMarked;
