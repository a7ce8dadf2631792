/// How pods are and how long they waited, as gauges and distributions.
@NullMarked
package dev.millwright.controllers.metrics.pod;

import org.jspecify.annotations.NullMarked;
