/// Has one job: whether the nodes of a pool register, as far as this process has seen.
@NullMarked
package dev.millwright.controllers.nodepool.health;

import org.jspecify.annotations.NullMarked;
