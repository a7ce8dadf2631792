/// What a cloud must offer: the port, its questions and its answers. May import core.
@NullMarked
package dev.millwright.spi;

import org.jspecify.annotations.NullMarked;
