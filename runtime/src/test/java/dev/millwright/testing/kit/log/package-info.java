/// Has one job: a log that tests can read.
@NullMarked
package dev.millwright.testing.kit.log;

import org.jspecify.annotations.NullMarked;
