/// Has one job: capacity buffers find what they refer to, and say how they are provided for.
@NullMarked
package dev.millwright.controllers.capacitybuffer;

import org.jspecify.annotations.NullMarked;
