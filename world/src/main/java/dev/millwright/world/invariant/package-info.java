/// Has one job: to say when a world broke what must always hold. Each invariant is a class of its
/// own and sees nothing but what happens. It imports no controller: who is judged does not judge.
@NullMarked
package dev.millwright.world.invariant;

import org.jspecify.annotations.NullMarked;
