/// From a template to a Workspace and back.
@NullMarked
package dev.millwright.testing.conformance.capi.apply;

import org.jspecify.annotations.NullMarked;
