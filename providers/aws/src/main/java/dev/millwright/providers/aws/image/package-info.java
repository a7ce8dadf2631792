/// Has one job: which images a class's terms lead to.
@NullMarked
package dev.millwright.providers.aws.image;

import org.jspecify.annotations.NullMarked;
