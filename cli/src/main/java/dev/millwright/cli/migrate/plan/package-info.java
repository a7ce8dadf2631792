/// Has one job: the plan by which a cluster comes to us from Karpenter or the Cluster Autoscaler:
/// what was found, what to type, and the way back. It reads values and writes nothing.
@NullMarked
package dev.millwright.cli.migrate.plan;

import org.jspecify.annotations.NullMarked;
