/// Has one job: an AWS account in memory, on the ports of `providers.aws`, for tests that are not
/// about the SDK or HTTP. It does what the endpoint's program does, which `testing/aws-endpoint`
/// describes, and is held against it: the same tests pass on both.
@NullMarked
package dev.millwright.testing.kit.aws.fake;

import org.jspecify.annotations.NullMarked;
