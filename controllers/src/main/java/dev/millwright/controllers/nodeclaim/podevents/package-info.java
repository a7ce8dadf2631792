/// Has one job: noting on a claim when pods last came to its node or left it.
@NullMarked
package dev.millwright.controllers.nodeclaim.podevents;

import org.jspecify.annotations.NullMarked;
