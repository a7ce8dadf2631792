/// Has one job: TOML 1.0, the format of Bottlerocket's settings, read and written. It knows nothing
/// of what the settings mean; it may import kube's document values.
@NullMarked
package dev.millwright.providers.aws.bootstrap.toml;

import org.jspecify.annotations.NullMarked;
