/// Takes a Node away: taints it, empties it, waits for its volumes and its machine, and lets the
/// object go last.
@NullMarked
package dev.millwright.controllers.node.termination;

import org.jspecify.annotations.NullMarked;
