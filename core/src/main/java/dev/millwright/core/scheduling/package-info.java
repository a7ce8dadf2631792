/// Has one job: the decision which nodes to launch for pods that wait. It imports all packages
/// before it: `quantity`, `label`, `catalog`, `cluster`, `policy`.
@NullMarked
package dev.millwright.core.scheduling;

import org.jspecify.annotations.NullMarked;
