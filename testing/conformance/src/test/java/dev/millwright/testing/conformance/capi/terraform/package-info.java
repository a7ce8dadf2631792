/// Has one job: what is decided around a run of Terraform, shown without one.
@NullMarked
package dev.millwright.testing.conformance.capi.terraform;

import org.jspecify.annotations.NullMarked;
