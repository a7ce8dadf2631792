/// The Terraform modules of `deploy/terraform`, by real Terraform and real providers. Uses the
/// control plane, the operator's process and the AWS endpoint.
@NullMarked
package dev.millwright.testing.e2e.terraform;

import org.jspecify.annotations.NullMarked;
