/// Taking away what nobody needs. So far that is nodes without pods.
@NullMarked
package dev.millwright.controllers.disruption;

import org.jspecify.annotations.NullMarked;
