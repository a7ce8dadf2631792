/// Has one job: what a pool has, in its status.
@NullMarked
package dev.millwright.controllers.nodepool.counter;

import org.jspecify.annotations.NullMarked;
