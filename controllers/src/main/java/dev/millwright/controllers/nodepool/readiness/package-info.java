/// Has one job: whether a pool's NodeClass is there and ready.
@NullMarked
package dev.millwright.controllers.nodepool.readiness;

import org.jspecify.annotations.NullMarked;
