/// Kubernetes objects to values of core, whether they come from a file or from a watch.
@NullMarked
package dev.millwright.kube.translation;

import org.jspecify.annotations.NullMarked;
