/// Has one job: capacity buffers keep room by virtual pods.
@NullMarked
package dev.millwright.testing.conformance.buffers;

import org.jspecify.annotations.NullMarked;
