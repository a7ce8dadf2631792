/// Proves how instances are launched, looked up, tagged and ended, against AWS behind HTTP.
@NullMarked
package dev.millwright.testing.conformance.aws.launch;

import org.jspecify.annotations.NullMarked;
