/// Objects as trees of values: read by path, changed without touching what stays, patched. May
/// import `kube`.
@NullMarked
package dev.millwright.world.tree;

import org.jspecify.annotations.NullMarked;
