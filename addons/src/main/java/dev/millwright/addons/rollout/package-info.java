/// Has one job: which clusters get a change now, and which wait for others to prove it. Imports the
/// core's names only.
@NullMarked
package dev.millwright.addons.rollout;

import org.jspecify.annotations.NullMarked;
