/// Has one job: to ask AWS again, now and then, for what changes without anybody's telling.
@NullMarked
package dev.millwright.providers.aws.controllers.providers;

import org.jspecify.annotations.NullMarked;
