/// What controllers of NodePools share: who watches what, how a pool's status is written, and what
/// a pool has used of its limits.
@NullMarked
package dev.millwright.controllers.nodepool;

import org.jspecify.annotations.NullMarked;
