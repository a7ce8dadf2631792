/// Has one job: the cluster at one moment, as values. It imports only `quantity`, `label` and
/// `catalog`.
@NullMarked
package dev.millwright.core.cluster;

import org.jspecify.annotations.NullMarked;
