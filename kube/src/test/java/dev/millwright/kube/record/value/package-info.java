/// Has one job: the tests of values in bytes.
@NullMarked
package dev.millwright.kube.record.value;

import org.jspecify.annotations.NullMarked;
