/// Has one job: what the AWS provider must do, one test a sentence.
@NullMarked
package dev.millwright.testing.conformance.aws;

import org.jspecify.annotations.NullMarked;
