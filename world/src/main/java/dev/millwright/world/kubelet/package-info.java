/// Nodes: machines whose kubelets join, become ready, run pods, fall silent and die.
@NullMarked
package dev.millwright.world.kubelet;

import org.jspecify.annotations.NullMarked;
