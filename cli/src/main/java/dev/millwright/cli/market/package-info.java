/// What a cluster can buy and for how much, when nobody asks its cloud: by its region and its node
/// classes. May import core, spi, kube and the providers.
@NullMarked
package dev.millwright.cli.market;

import org.jspecify.annotations.NullMarked;
