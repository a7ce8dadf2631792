/// Has one job: a static pool has as many nodes as its `replicas` say.
@NullMarked
package dev.millwright.controllers.staticpool;

import org.jspecify.annotations.NullMarked;
