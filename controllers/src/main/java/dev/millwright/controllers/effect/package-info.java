/// Has one job: the effects that the autoscaler has besides those of every operator: what it asks
/// of a cloud, and what it decided. Imports spi, core and the effects of every operator.
@NullMarked
package dev.millwright.controllers.effect;

import org.jspecify.annotations.NullMarked;
