/// Has one job: what a class is tried by before anybody launches with it.
@NullMarked
package dev.millwright.providers.aws.trial;

import org.jspecify.annotations.NullMarked;
