/// Has one job: what is done for Workspaces, shown without Terraform and without a server.
@NullMarked
package dev.millwright.testing.conformance.capi.workspace;

import org.jspecify.annotations.NullMarked;
