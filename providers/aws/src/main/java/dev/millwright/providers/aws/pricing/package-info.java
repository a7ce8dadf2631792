/// Has one job: what an hour of a machine costs, as far as it is known: from a table that comes
/// with this module, then from AWS's price list and the history of spot prices.
@NullMarked
package dev.millwright.providers.aws.pricing;

import org.jspecify.annotations.NullMarked;
