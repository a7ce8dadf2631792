/// Has one job: what tests of the AWS provider stand on. That is an account to prepare and to ask,
/// the account that a program behind the SDK and HTTP plays (`testing/aws-endpoint`), started once
/// a JVM, and catalogues of instance types. It imports `kube`'s documents, `providers.aws` and the
/// catalogue of `providers.sim`.
@NullMarked
package dev.millwright.testing.kit.aws;

import org.jspecify.annotations.NullMarked;
