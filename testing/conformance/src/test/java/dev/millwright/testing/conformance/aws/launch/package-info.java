/// Proves how instances are launched, looked up, tagged and ended, in a test account.
@NullMarked
package dev.millwright.testing.conformance.aws.launch;

import org.jspecify.annotations.NullMarked;
