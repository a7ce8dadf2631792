/// Has one job: what the operator and the pools allow. It imports only earlier packages:
/// `quantity`, `label`, `catalog`, `cluster`.
@NullMarked
package dev.millwright.core.policy;

import org.jspecify.annotations.NullMarked;
