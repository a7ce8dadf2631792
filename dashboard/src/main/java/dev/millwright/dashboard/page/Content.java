package dev.millwright.dashboard.page;

import dev.millwright.dashboard.picture.Answers;
import dev.millwright.dashboard.picture.Reel;

import org.jspecify.annotations.Nullable;

/// All that a page shows. Without controls it only shows; without answers nothing can be asked;
/// without a reel there is no going back.
///
/// `isLive`: the feed brings more, and the reel ends with what is now.
public record Content(
        PictureFeed feed,
        @Nullable Controls controls,
        @Nullable Answers answers,
        @Nullable Reel reel,
        boolean isLive) {

    /// Of a fleet that lives.
    public static Content live(PictureFeed feed) {
        return new Content(feed, null, null, null, true);
    }

    /// Of pictures that are all there, beginning with the last one. The reel must not be empty.
    public static Content recorded(Reel reel) {
        var last = reel.length() - 1;
        return new Content(
                new PictureFeed(reel.picture(last)), null, reel.answers(last), reel, false);
    }

    public Content withControls(@Nullable Controls others) {
        return new Content(feed, others, answers, reel, isLive);
    }

    public Content withAnswers(Answers others) {
        return new Content(feed, controls, others, reel, isLive);
    }

    public Content withReel(Reel other) {
        return new Content(feed, controls, answers, other, isLive);
    }
}
