/// Has one job: to keep answers for a while and to bound how many.
@NullMarked
package dev.millwright.providers.aws.cache;

import org.jspecify.annotations.NullMarked;
