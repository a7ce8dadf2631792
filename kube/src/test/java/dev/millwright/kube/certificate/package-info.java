@NullMarked
package dev.millwright.kube.certificate;

import org.jspecify.annotations.NullMarked;
