/// Has one job: what the operator would do from now on until it rests, told by making its decisions
/// one after another on a cluster that changes as they say. Imports all packages before it.
@NullMarked
package dev.millwright.core.forecast;

import org.jspecify.annotations.NullMarked;
