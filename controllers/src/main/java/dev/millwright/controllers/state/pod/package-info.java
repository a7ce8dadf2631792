/// Forgets what is remembered of pods that no longer matter.
@NullMarked
package dev.millwright.controllers.state.pod;

import org.jspecify.annotations.NullMarked;
