/// Has one job: what the add-ons have done and would do, for people to look at. Plays the add-ons'
/// own controllers on a draft of the management cluster.
@NullMarked
package dev.millwright.cli.addons;

import org.jspecify.annotations.NullMarked;
