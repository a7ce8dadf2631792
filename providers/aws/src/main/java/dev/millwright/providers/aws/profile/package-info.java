/// Has one job: the instance profiles by which a node has its role.
@NullMarked
package dev.millwright.providers.aws.profile;

import org.jspecify.annotations.NullMarked;
