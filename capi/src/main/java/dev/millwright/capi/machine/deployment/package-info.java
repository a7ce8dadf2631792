/// Has one job: the machines of a deployment are made of its template, and a changed template
/// replaces them as its strategy says.
@NullMarked
package dev.millwright.capi.machine.deployment;

import org.jspecify.annotations.NullMarked;
