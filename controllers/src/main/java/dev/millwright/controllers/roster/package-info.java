/// All controllers of the operator, with the memories they share. A cluster and a simulated world
/// run the same ones.
@NullMarked
package dev.millwright.controllers.roster;

import org.jspecify.annotations.NullMarked;
