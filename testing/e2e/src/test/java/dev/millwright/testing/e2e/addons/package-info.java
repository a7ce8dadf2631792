/// The add-ons on real API servers.
@NullMarked
package dev.millwright.testing.e2e.addons;

import org.jspecify.annotations.NullMarked;
