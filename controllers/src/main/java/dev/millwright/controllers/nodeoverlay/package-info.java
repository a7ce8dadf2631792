/// Has one job: which NodeOverlays hold, told to the clouds that lay them and to their owners.
@NullMarked
package dev.millwright.controllers.nodeoverlay;

import org.jspecify.annotations.NullMarked;
