/// What is measured: the families of metrics by name, and the registry that exposes them.
@NullMarked
package dev.millwright.controllers.metrics;

import org.jspecify.annotations.NullMarked;
