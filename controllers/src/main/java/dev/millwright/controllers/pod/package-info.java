/// When a pod may be disturbed, must be waited for, or comes back elsewhere: rules that several
/// controllers share. May import kube and steps.
@NullMarked
package dev.millwright.controllers.pod;

import org.jspecify.annotations.NullMarked;
