/// Has one job: what an EC2NodeClass's status says, from the finalizer on its first day to what is
/// cleaned up on its last.
@NullMarked
package dev.millwright.providers.aws.controllers.nodeclass;

import org.jspecify.annotations.NullMarked;
