/// Has one job: launch templates that nobody uses any more go away.
@NullMarked
package dev.millwright.providers.aws.controllers.launchtemplate;

import org.jspecify.annotations.NullMarked;
