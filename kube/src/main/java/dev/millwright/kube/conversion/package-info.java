/// Has one job: objects of APIs that are no longer served to those that are, and back, on values
/// alone. What does not go over as it was is told in notes. It imports only `kube.document`.
@NullMarked
package dev.millwright.kube.conversion;

import org.jspecify.annotations.NullMarked;
