/// What the metrics of nodes, pools and pods show, and the word on conditions that change.
@NullMarked
package dev.millwright.testing.conformance.metrics;

import org.jspecify.annotations.NullMarked;
