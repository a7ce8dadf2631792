/// Has one job: the control plane of a cluster, which is an EKS cluster made by Terraform.
@NullMarked
package dev.millwright.capi.controlplane;

import org.jspecify.annotations.NullMarked;
