/// What the controllers of Nodes share.
@NullMarked
package dev.millwright.controllers.node;

import org.jspecify.annotations.NullMarked;
