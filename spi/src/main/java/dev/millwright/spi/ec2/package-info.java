/// Has one job: what is true of EC2's machines whoever sells them, EC2 itself or a simulation:
/// their labels, what they hold and what the system keeps of it. Pure rules on values; it imports
/// only `core`.
@NullMarked
package dev.millwright.spi.ec2;

import org.jspecify.annotations.NullMarked;
