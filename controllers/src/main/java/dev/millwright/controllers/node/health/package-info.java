/// Replaces nodes that stay broken longer than their provider tolerates, unless so many are broken
/// that the fault must lie elsewhere.
@NullMarked
package dev.millwright.controllers.node.health;

import org.jspecify.annotations.NullMarked;
