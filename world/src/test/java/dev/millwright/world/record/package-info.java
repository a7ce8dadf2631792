/// Has one job: that what worlds decide can be recorded and made again.
@NullMarked
package dev.millwright.world.record;

import org.jspecify.annotations.NullMarked;
