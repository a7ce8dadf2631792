/// The page as a real browser shows it.
@NullMarked
package dev.millwright.testing.e2e.page;

import org.jspecify.annotations.NullMarked;
