/// What nodes have and what their pods take of it, as gauges.
@NullMarked
package dev.millwright.controllers.metrics.node;

import org.jspecify.annotations.NullMarked;
