/// Has one job: to act on what AWS says about single instances before they go: the queue's
/// messages, and the status checks that are asked for every minute.
@NullMarked
package dev.millwright.providers.aws.interruption;

import org.jspecify.annotations.NullMarked;
