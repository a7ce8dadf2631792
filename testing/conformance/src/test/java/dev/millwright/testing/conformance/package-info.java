/// Has one job: what a node autoscaler must do, one test a sentence. Tags name the behaviours of
/// `conformance-ids.tsv` that a test proves.
@NullMarked
package dev.millwright.testing.conformance;

import org.jspecify.annotations.NullMarked;
