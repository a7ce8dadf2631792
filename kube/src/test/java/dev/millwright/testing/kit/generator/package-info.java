/// Has one job: random worlds from a seed, as documents that our reader and the peer's read alike,
/// and small ones made of large ones that fail.
@NullMarked
package dev.millwright.testing.kit.generator;

import org.jspecify.annotations.NullMarked;
