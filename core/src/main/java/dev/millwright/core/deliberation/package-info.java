/// Has one job: a decision together with all that it was made from, so that it can be shown,
/// recorded and made again; and the pass that makes those about nodes one after another. Imports
/// all packages before it.
@NullMarked
package dev.millwright.core.deliberation;

import org.jspecify.annotations.NullMarked;
