/// Has one job: instance profiles that nobody has any more go.
@NullMarked
package dev.millwright.providers.aws.controllers.instanceprofile.garbagecollection;

import org.jspecify.annotations.NullMarked;
