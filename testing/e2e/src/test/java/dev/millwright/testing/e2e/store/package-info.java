/// One suite about what an API server remembers and how it answers, run against a real one and
/// against the store of a world: where both pass, they agree.
@NullMarked
package dev.millwright.testing.e2e.store;

import org.jspecify.annotations.NullMarked;
