@NullMarked
package dev.millwright.kube.conversion;

import org.jspecify.annotations.NullMarked;
