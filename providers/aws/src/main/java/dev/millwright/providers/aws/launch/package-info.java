/// Has one job: to launch machines in EC2 and to know them again: which types may be asked for,
/// with which template, what EC2's answer means.
@NullMarked
package dev.millwright.providers.aws.launch;

import org.jspecify.annotations.NullMarked;
