/// Has one job: what carries out the autoscaler's effects in a process. Imports spi and the shell.
@NullMarked
package dev.millwright.controllers.operator;

import org.jspecify.annotations.NullMarked;
