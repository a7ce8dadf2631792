/// Has one job: what a machine of EC2 is to a cluster under a class: its labels, what it holds,
/// what the system keeps of it, and whether it can be launched at all. It knows neither prices nor
/// offerings.
@NullMarked
package dev.millwright.providers.aws.instancetype;

import org.jspecify.annotations.NullMarked;
