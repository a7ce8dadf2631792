/// A management cluster in memory, with a stand-in for Terraform.
@NullMarked
package dev.millwright.capi.stage;

import org.jspecify.annotations.NullMarked;
