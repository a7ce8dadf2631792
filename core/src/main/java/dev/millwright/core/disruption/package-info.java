/// Has one job: the decision which nodes to take away. It imports all packages before it:
/// `quantity`, `label`, `catalog`, `cluster`, `policy`, `scheduling`.
@NullMarked
package dev.millwright.core.disruption;

import org.jspecify.annotations.NullMarked;
