/// Has one job: files of decisions with all that they were made from, written while they are made
/// and read again. It imports `core` and `kube.record.value`.
@NullMarked
package dev.millwright.kube.record;

import org.jspecify.annotations.NullMarked;
