/// What becomes of a NodeClaim: launch, registration, initialisation, drift, expiry and end.
@NullMarked
package dev.millwright.testing.conformance.nodeclaim;

import org.jspecify.annotations.NullMarked;
