/// What AWS says about single instances before they go, and what is done about it.
@NullMarked
package dev.millwright.testing.conformance.aws.interruption;

import org.jspecify.annotations.NullMarked;
