/// What the API server holds, kept up to date in memory: caches, and the watches that feed them.
@NullMarked
package dev.millwright.kube.cache;

import org.jspecify.annotations.NullMarked;
