/// Has one job: to hand a test its AWS account, in memory or behind HTTP.
@NullMarked
package dev.millwright.testing.kit.aws.account;

import org.jspecify.annotations.NullMarked;
