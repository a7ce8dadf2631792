/// Has one job: what is to be done for a Workspace, its ProviderConfig and the secret it writes.
/// Imports the Kubernetes edge and what a step is; Terraform itself runs behind a port.
@NullMarked
package dev.millwright.capi.workspace;

import org.jspecify.annotations.NullMarked;
