/// Has one job: decisions, one after the other, as pictures of the fleet they are about, and as
/// answers to what visitors ask. It imports `core` and `picture`.
@NullMarked
package dev.millwright.dashboard.ledger;

import org.jspecify.annotations.NullMarked;
