/// Has one job: the hash of a pool's template, by which its claims find out that they have drifted.
@NullMarked
package dev.millwright.controllers.nodepool.hash;

import org.jspecify.annotations.NullMarked;
