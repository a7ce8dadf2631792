/// Has one job: the AWS provider over real HTTP, at the endpoint of `testing/aws-endpoint`.
@NullMarked
package dev.millwright.testing.e2e.aws;

import org.jspecify.annotations.NullMarked;
