package dev.millwright.dashboard.page;

import dev.millwright.dashboard.picture.Picture;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// The newest picture, and a way to wait for the next. One thread shows, any number look; who is
/// slow misses pictures and never holds up the others.
public final class PictureFeed {

    /// A picture and its place in the order of all.
    public record Shown(long number, Picture picture) {}

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition isNew = lock.newCondition();
    private Shown newest;
    private boolean isClosed;

    public PictureFeed(Picture first) {
        newest = new Shown(0, first);
    }

    public void show(Picture picture) {
        lock.lock();
        try {
            newest = new Shown(newest.number() + 1, picture);
            isNew.signalAll();
        } finally {
            lock.unlock();
        }
    }

    public Shown newest() {
        lock.lock();
        try {
            return newest;
        } finally {
            lock.unlock();
        }
    }

    /// The newest picture after that number; null if none came in time or none will.
    @Nullable Shown after(long number, Duration limit) throws InterruptedException {
        var left = limit.toNanos();
        lock.lock();
        try {
            while (newest.number() <= number && !isClosed) {
                if (left <= 0) {
                    return null;
                }
                left = isNew.awaitNanos(left);
            }
            return isClosed ? null : newest;
        } finally {
            lock.unlock();
        }
    }

    /// Who waits is told that nothing comes any more.
    public void close() {
        lock.lock();
        try {
            isClosed = true;
            isNew.signalAll();
        } finally {
            lock.unlock();
        }
    }

    boolean isClosed() {
        lock.lock();
        try {
            return isClosed;
        } finally {
            lock.unlock();
        }
    }
}
