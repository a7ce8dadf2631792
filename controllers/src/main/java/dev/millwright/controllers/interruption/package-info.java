/// Machines that the cloud takes back: they are drained while they still run.
@NullMarked
package dev.millwright.controllers.interruption;

import org.jspecify.annotations.NullMarked;
