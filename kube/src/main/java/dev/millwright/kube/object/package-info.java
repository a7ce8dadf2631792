/// The objects that controllers read and change, as immutable values. Reading loses what nobody
/// here decides on; writing is by patches, so that nothing else is lost.
@NullMarked
package dev.millwright.kube.object;

import org.jspecify.annotations.NullMarked;
