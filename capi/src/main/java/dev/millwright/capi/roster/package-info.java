/// Has one job: which controllers run in which half of the provider, what they watch, and which
/// objects are theirs. Imports the controllers of this module and the shell of all operators.
@NullMarked
package dev.millwright.capi.roster;

import org.jspecify.annotations.NullMarked;
