/// What kinds of objects there are, how the server treats each, and what it fills into them. May
/// import `kube`.
@NullMarked
package dev.millwright.world.kind;

import org.jspecify.annotations.NullMarked;
