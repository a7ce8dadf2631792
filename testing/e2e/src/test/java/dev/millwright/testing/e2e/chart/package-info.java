/// Whether what people install us with does what it says: the charts, by Helm itself.
@NullMarked
package dev.millwright.testing.e2e.chart;

import org.jspecify.annotations.NullMarked;
