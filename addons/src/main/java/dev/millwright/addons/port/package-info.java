/// Has one job: what the steps of the add-ons ask of Helm, of workload clusters and of the
/// management cluster besides their caches, as ports that a test can stand in for. Imports the
/// Kubernetes edge and the objects only.
@NullMarked
package dev.millwright.addons.port;

import org.jspecify.annotations.NullMarked;
