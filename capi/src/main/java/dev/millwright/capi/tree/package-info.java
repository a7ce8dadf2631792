/// Has one job: a cluster with all that was built for it, from objects to a tree that a person
/// reads. Values in, a value out; of Terraform's states it keeps addresses alone.
@NullMarked
package dev.millwright.capi.tree;

import org.jspecify.annotations.NullMarked;
