/// Events: what a person sees by `kubectl describe`, without repeating itself.
@NullMarked
package dev.millwright.kube.event;

import org.jspecify.annotations.NullMarked;
