/// Has one job: instances bear the names of their claim and node.
@NullMarked
package dev.millwright.providers.aws.controllers.tagging;

import org.jspecify.annotations.NullMarked;
