/// Has one job: why something is so, and the smallest change that would make it otherwise, proven
/// by planning again. Imports all other packages of core.
@NullMarked
package dev.millwright.core.explain;

import org.jspecify.annotations.NullMarked;
