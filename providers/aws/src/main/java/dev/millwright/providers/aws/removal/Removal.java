package dev.millwright.providers.aws.removal;

import dev.millwright.kube.client.KubeApi;
import dev.millwright.kube.time.Sleeper;
import dev.millwright.providers.aws.api.AwsFault;
import dev.millwright.providers.aws.api.Ec2Api;
import dev.millwright.providers.aws.api.IamApi;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// Removes all that was launched for a cluster: looks at what there is, does what can be done about
/// it, and looks again, until nothing is found twice or the time is over. As it acts on what it
/// sees alone, it may be stopped anywhere and run again.
public final class Removal {

    private static final Duration PAUSE = Duration.ofSeconds(3);

    /// What instances get to end after the last of them was told to, whatever the limits say.
    private static final Duration ENDING_MIN = Duration.ofMinutes(1);

    /// @param drain how long pods are waited for
    /// @param whole how long all of it may take
    public record Limits(Duration drain, Duration whole) {

        /// Most of the time is for pods.
        public static Limits of(Duration whole, @Nullable Duration drain) {
            var forInstances = Duration.ofMinutes(3);
            var half = whole.dividedBy(2);
            return new Limits(
                    drain != null
                            ? drain
                            : whole.minus(half.compareTo(forInstances) < 0 ? half : forInstances),
                    whole);
        }
    }

    /// Time, and where it is told what goes on.
    public record Setting(InstantSource clock, Sleeper sleeper, Consumer<String> notes) {}

    private final CloudRemains cloud;
    private final @Nullable ClusterRemains cluster;
    private final Setting setting;

    /// @param api null when the API server is gone, or not to be asked
    public Removal(
            Ec2Api ec2,
            IamApi iam,
            @Nullable KubeApi api,
            String clusterName,
            String region,
            Setting setting) {
        this.cloud = new CloudRemains(ec2, iam, clusterName, region);
        this.cluster = api == null ? null : new ClusterRemains(api);
        this.setting = setting;
    }

    /// What there is now. Changes nothing.
    ///
    /// @throws IOException when somebody does not tell
    public List<Leftover> survey() throws IOException {
        try {
            var inCloud = cloud.look();
            var inCluster = cluster == null ? ClusterRemains.Found.NOTHING : cluster.look();
            return new Look(inCloud, inCluster, List.of()).leftovers(id -> "");
        } catch (AwsFault fault) {
            throw new IOException("AWS does not tell what there is: " + fault.text(), fault);
        }
    }

    public Report run(Limits limits) throws InterruptedException {
        var begun = setting.clock().instant();
        var drainEnd = begun.plus(limits.drain());
        var least = drainEnd.plus(ENDING_MIN);
        var end = begun.plus(limits.whole());
        var course = new Course(cloud, cluster, setting.notes(), drainEnd);
        while (true) {
            var look = look();
            var now = setting.clock().instant();
            if (course.isProved(look) || (now.isAfter(end) && now.isAfter(least))) {
                return course.report(look);
            }
            course.act(look, now);
            setting.sleeper().sleep(PAUSE);
        }
    }

    /// A question that is not answered is told of, and asked again next time.
    private Look look() {
        CloudRemains.Found inCloud = null;
        ClusterRemains.Found inCluster = cluster == null ? ClusterRemains.Found.NOTHING : null;
        var unanswered = new ArrayList<Leftover>();
        try {
            inCloud = cloud.look();
        } catch (AwsFault fault) {
            unanswered.add(new Leftover(Look.ANSWER, "of AWS", fault.text()));
        }
        if (cluster != null) {
            try {
                inCluster = cluster.look();
            } catch (IOException failure) {
                unanswered.add(new Leftover(Look.ANSWER, "of the API server", text(failure)));
            }
        }
        return new Look(inCloud, inCluster, unanswered);
    }

    static String text(IOException failure) {
        var message = failure.getMessage();
        return message == null ? failure.toString() : message;
    }
}
