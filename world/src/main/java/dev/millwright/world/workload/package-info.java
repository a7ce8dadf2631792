/// The controllers of Kubernetes around the operator: workloads, budgets, volumes, nodes. One class
/// a controller, each on its own marks; [ControlPlane] wires them.
@NullMarked
package dev.millwright.world.workload;

import org.jspecify.annotations.NullMarked;
