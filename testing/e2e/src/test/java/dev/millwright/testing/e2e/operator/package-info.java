/// The operator as a process on a real cluster whose kubelets are kwok's.
@NullMarked
package dev.millwright.testing.e2e.operator;

import org.jspecify.annotations.NullMarked;
