/// Whether we know the cluster well enough to act, as gauges and as a cry for help.
@NullMarked
package dev.millwright.controllers.metrics.sync;

import org.jspecify.annotations.NullMarked;
