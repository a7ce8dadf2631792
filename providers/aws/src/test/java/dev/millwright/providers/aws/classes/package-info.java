/// What an EC2NodeClass's status tells, and what is made and taken away for a class.
@NullMarked
package dev.millwright.providers.aws.classes;

import org.jspecify.annotations.NullMarked;
