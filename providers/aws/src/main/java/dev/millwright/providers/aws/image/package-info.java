/// Has one job: which images a class's terms lead to, and which image an instance type takes.
@NullMarked
package dev.millwright.providers.aws.image;

import org.jspecify.annotations.NullMarked;
