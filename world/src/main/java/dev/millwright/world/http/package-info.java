/// The store of a world over HTTP, well enough for kubectl: discovery, get, watch, create, patch,
/// replace, delete, scale, evict and bind. May import `world.store` and `kube`.
@NullMarked
package dev.millwright.world.http;

import org.jspecify.annotations.NullMarked;
