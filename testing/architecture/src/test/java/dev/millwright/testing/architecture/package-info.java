/// Holds the arrows between modules, the order of packages in core and the names banned there. A
/// rule that nothing can break is no rule, so each is also run on the classes under `broken`, which
/// break it.
@NullMarked
package dev.millwright.testing.architecture;

import org.jspecify.annotations.NullMarked;
