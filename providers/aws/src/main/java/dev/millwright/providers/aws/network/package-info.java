/// Has one job: where instances go. Which subnets, security groups, capacity reservations and
/// placement groups a class's selectors lead to, what is left in each, and which zones are shifted
/// away from.
///
/// Asks EC2 through `api`, keeps answers for a while, decides nothing about classes or launches.
@NullMarked
package dev.millwright.providers.aws.network;

import org.jspecify.annotations.NullMarked;
