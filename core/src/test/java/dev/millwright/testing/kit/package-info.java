/// Has one job: words for tests. Builders of clusters, fake catalogues and claims about plans; it
/// imports `core` alone.
@NullMarked
package dev.millwright.testing.kit;

import org.jspecify.annotations.NullMarked;
