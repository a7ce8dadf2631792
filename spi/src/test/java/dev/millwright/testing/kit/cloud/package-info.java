/// Has one job: clouds for tests. A fake one that answers as told, the claims it is asked with, and
/// the contract every provider passes. It imports `core`, `spi` and the words of `kit`.
@NullMarked
package dev.millwright.testing.kit.cloud;

import org.jspecify.annotations.NullMarked;
