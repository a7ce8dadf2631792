/// Has one job: EC2 as a cloud of ours. The parts are in the packages below; here they are put
/// together as answers to what the loops ask.
@NullMarked
package dev.millwright.providers.aws;

import org.jspecify.annotations.NullMarked;
