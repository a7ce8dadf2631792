/// Has one job: giving nodes of our claims the label by which they are recognised as ours.
@NullMarked
package dev.millwright.controllers.node.hydration;

import org.jspecify.annotations.NullMarked;
