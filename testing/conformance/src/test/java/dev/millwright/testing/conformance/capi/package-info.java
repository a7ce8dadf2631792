/// What a Cluster API provider must do.
@NullMarked
package dev.millwright.testing.conformance.capi;

import org.jspecify.annotations.NullMarked;
