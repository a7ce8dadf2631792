/// Has one job: each EC2NodeClass bears the hash by which its claims find out that it has changed.
@NullMarked
package dev.millwright.providers.aws.controllers.nodeclass.hash;

import org.jspecify.annotations.NullMarked;
