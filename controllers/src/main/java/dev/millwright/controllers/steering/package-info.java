/// Steers pods away from nodes that consolidation will take, so that few have to be moved.
@NullMarked
package dev.millwright.controllers.steering;

import org.jspecify.annotations.NullMarked;
