/// Has one job: AWS for tests: its types as records, and its endpoint as a process.
@NullMarked
package dev.millwright.testing.kit.aws;

import org.jspecify.annotations.NullMarked;
