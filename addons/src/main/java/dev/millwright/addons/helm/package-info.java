/// Has one job: Helm itself: its command as a process that is bounded and can be killed, and its
/// storage on workload clusters. Imports the objects, the ports and the Kubernetes edge.
@NullMarked
package dev.millwright.addons.helm;

import org.jspecify.annotations.NullMarked;
