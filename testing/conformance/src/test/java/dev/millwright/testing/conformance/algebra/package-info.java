/// Has one job: requirements, ports, taints and sums behave as Kubernetes and Karpenter define
/// them.
@NullMarked
package dev.millwright.testing.conformance.algebra;

import org.jspecify.annotations.NullMarked;
