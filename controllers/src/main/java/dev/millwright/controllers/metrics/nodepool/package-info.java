/// What pools may have and do have, as gauges.
@NullMarked
package dev.millwright.controllers.metrics.nodepool;

import org.jspecify.annotations.NullMarked;
