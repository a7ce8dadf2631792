/// Objects as trees of values: read by path, changed without touching what stays, patched. May
/// import `kube.document`.
@NullMarked
package dev.millwright.kube.tree;

import org.jspecify.annotations.NullMarked;
