package dev.millwright.providers.aws.network;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.SequencedMap;

/// The subnets of one launch, one a zone, in the order of the class's status.
public record SubnetOffer(SequencedMap<String, Share> byZone) {

    /// @param counting which counting of EC2 the addresses were taken from
    /// @param deducted how many addresses the launch may need
    public record Share(String subnetId, long counting, int deducted) {}

    public SubnetOffer {
        byZone = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(byZone));
    }

    /// The ids by zone.
    public SequencedMap<String, String> subnetIds() {
        var ids = new LinkedHashMap<String, String>();
        byZone.forEach((zone, share) -> ids.put(zone, share.subnetId()));
        return Collections.unmodifiableSequencedMap(ids);
    }

    public boolean isEmpty() {
        return byZone.isEmpty();
    }
}
