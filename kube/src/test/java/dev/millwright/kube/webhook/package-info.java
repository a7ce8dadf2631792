@NullMarked
package dev.millwright.kube.webhook;

import org.jspecify.annotations.NullMarked;
