/// From pods that wait to claims for nodes: triggers, the batch they fall into, and the pass that
/// plans for it.
@NullMarked
package dev.millwright.controllers.provisioning;

import org.jspecify.annotations.NullMarked;
