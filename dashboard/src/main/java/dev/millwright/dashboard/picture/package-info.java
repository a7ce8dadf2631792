/// Has one job: a fleet at one moment as a value to be shown, and that value as JSON. It imports
/// nothing of ours.
@NullMarked
package dev.millwright.dashboard.picture;

import org.jspecify.annotations.NullMarked;
