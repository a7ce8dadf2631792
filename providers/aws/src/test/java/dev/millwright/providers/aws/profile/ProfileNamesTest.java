package dev.millwright.providers.aws.profile;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProfileNamesTest {

    @Test
    void theNameOfOldIsTheClusterAndTheHashOfRegionAndClass() {
        assertThat(InstanceProfiles.name("test-cluster", "us-west-2", "default", ""))
                .isEqualTo("test-cluster_4067990795380418201");
    }

    @Test
    void saltMakesAnotherName() {
        assertThat(InstanceProfiles.name("test-cluster", "us-west-2", "default", "a"))
                .startsWith("test-cluster_")
                .isNotEqualTo(InstanceProfiles.name("test-cluster", "us-west-2", "default", "b"));
    }

    @Test
    void iamKnowsARoleByWhatFollowsItsPath() {
        assertThat(InstanceProfiles.roleName("team/nodes/worker")).isEqualTo("worker");
        assertThat(InstanceProfiles.roleName("worker")).isEqualTo("worker");
    }
}
