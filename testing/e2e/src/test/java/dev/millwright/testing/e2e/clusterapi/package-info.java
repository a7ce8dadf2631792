/// Core Cluster API's own programs, its manager and clusterctl, with our providers.
@NullMarked
package dev.millwright.testing.e2e.clusterapi;

import org.jspecify.annotations.NullMarked;
