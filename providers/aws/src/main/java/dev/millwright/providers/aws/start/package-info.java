/// What must be known of AWS, and true of it, before the first step: found once, when the process
/// starts. It imports `api`.
@NullMarked
package dev.millwright.providers.aws.start;

import org.jspecify.annotations.NullMarked;
