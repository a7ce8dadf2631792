/// Has one job: what an EC2NodeClass says, as values: its spec and status, the hash by which claims
/// know that it changed, its tags and its conditions. It asks no cloud; it may import core and
/// kube.
@NullMarked
package dev.millwright.providers.aws.nodeclass;

import org.jspecify.annotations.NullMarked;
