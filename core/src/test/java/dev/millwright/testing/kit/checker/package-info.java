/// Has one job: an independent judge of plans. It is slow and obvious on purpose and shares no code
/// with the solver: of core it reads values only, never `scheduling`'s reasoning.
@NullMarked
package dev.millwright.testing.kit.checker;

import org.jspecify.annotations.NullMarked;
