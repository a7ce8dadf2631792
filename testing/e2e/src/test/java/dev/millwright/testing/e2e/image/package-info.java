/// The container image in namespaces of its own, started as a kubelet would start it.
@NullMarked
package dev.millwright.testing.e2e.image;

import org.jspecify.annotations.NullMarked;
