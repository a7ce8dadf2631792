/// Solves the linear programs that core asks for. Imports core and the JDK.
@NullMarked
package dev.millwright.lp;

import org.jspecify.annotations.NullMarked;
