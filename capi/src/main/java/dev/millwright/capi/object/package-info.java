/// Has one job: what the kinds of this provider and of Cluster API are called, and the parts that
/// all of them share. Imports the Kubernetes edge only.
@NullMarked
package dev.millwright.capi.object;

import org.jspecify.annotations.NullMarked;
