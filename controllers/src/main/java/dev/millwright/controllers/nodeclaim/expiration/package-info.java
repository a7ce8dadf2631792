/// Has one job: deleting claims that are older than they may get.
@NullMarked
package dev.millwright.controllers.nodeclaim.expiration;

import org.jspecify.annotations.NullMarked;
