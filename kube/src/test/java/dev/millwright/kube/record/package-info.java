/// Has one job: the tests of records.
@NullMarked
package dev.millwright.kube.record;

import org.jspecify.annotations.NullMarked;
