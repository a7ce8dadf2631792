/// From pods that wait to claims, through triggers, batch and pass.
@NullMarked
package dev.millwright.testing.conformance.provisioning;

import org.jspecify.annotations.NullMarked;
