package main

import (
	"math"
	"runtime"
	"runtime/metrics"
	"slices"
	"sync"
	"syscall"
	"time"
)

// heapSampleInterval is how often the heap is looked at for its peak; a look costs microseconds.
const heapSampleInterval = 2 * time.Millisecond

const heapMetric = "/memory/classes/heap/objects:bytes"

// measurement is the cost of one pass. CPU is user and system time of the whole process, garbage collection included.
type measurement struct {
	// WallMillis and CPUMillis are the pass as a whole: construction, solve, truncation of the type lists.
	WallMillis float64 `json:"wallMillis"`
	CPUMillis  float64 `json:"cpuMillis"`
	// ConstructMillis and ConstructCPUMillis: reading and validating pods, copying nodes, counting topology, building.
	ConstructMillis    float64 `json:"constructMillis"`
	ConstructCPUMillis float64 `json:"constructCpuMillis"`
	SolveMillis        float64 `json:"solveMillis"`
	SolveCPUMillis     float64 `json:"solveCpuMillis"`
	// AllocatedBytes is all that was allocated during the pass.
	AllocatedBytes uint64 `json:"allocatedBytes"`
	// HeapBytes is what is alive after the pass, with scheduler, results and document; PeakHeapBytes includes garbage.
	HeapBytes     uint64 `json:"heapBytes,omitempty"`
	PeakHeapBytes uint64 `json:"peakHeapBytes,omitempty"`
	// MaxRSSBytes is the largest resident set of the process so far.
	MaxRSSBytes uint64 `json:"maxRssBytes"`
}

type instant struct {
	wall time.Time
	cpu  time.Duration
}

type meter struct {
	// isHurried leaves the heap out: its figures need two garbage collections, which cost more than a small pass.
	isHurried                     bool
	start, construction, solution instant
	allocatedBefore               uint64
	done                          chan struct{}
	closing                       sync.Once
	peak                          chan uint64
}

func startMeter(isHurried bool) *meter {
	m := &meter{isHurried: isHurried, done: make(chan struct{}), peak: make(chan uint64, 1)}
	if !isHurried {
		runtime.GC()
		go watchHeap(m.done, m.peak)
	}
	m.allocatedBefore = memory().TotalAlloc
	m.start = now()
	m.construction, m.solution = m.start, m.start
	return m
}

func (m *meter) constructed() {
	m.construction = now()
	m.solution = m.construction
}

func (m *meter) solved() { m.solution = now() }

// stop must be called once. Objects the pass made must still be reachable, or they count as garbage.
func (m *meter) stop() measurement {
	end := now()
	m.close()
	result := measurement{
		WallMillis:         millis(end.wall.Sub(m.start.wall)),
		CPUMillis:          millis(end.cpu - m.start.cpu),
		ConstructMillis:    millis(m.construction.wall.Sub(m.start.wall)),
		ConstructCPUMillis: millis(m.construction.cpu - m.start.cpu),
		SolveMillis:        millis(m.solution.wall.Sub(m.construction.wall)),
		SolveCPUMillis:     millis(m.solution.cpu - m.construction.cpu),
		AllocatedBytes:     memory().TotalAlloc - m.allocatedBefore,
		// Linux counts the resident set in KiB.
		MaxRSSBytes: uint64(usage().Maxrss) << 10,
	}
	if !m.isHurried {
		result.PeakHeapBytes = <-m.peak
		runtime.GC()
		result.HeapBytes = memory().HeapAlloc
	}
	return result
}

// close lets the watcher of the heap go. It may be called again, by whoever cannot know whether stop was reached.
func (m *meter) close() {
	m.closing.Do(func() { close(m.done) })
}

func watchHeap(done <-chan struct{}, peak chan<- uint64) {
	sample := []metrics.Sample{{Name: heapMetric}}
	ticker := time.NewTicker(heapSampleInterval)
	defer ticker.Stop()
	var largest uint64
	for {
		metrics.Read(sample)
		largest = max(largest, sample[0].Value.Uint64())
		select {
		case <-done:
			peak <- largest
			return
		case <-ticker.C:
		}
	}
}

func now() instant {
	used := usage()
	return instant{time.Now(), time.Duration(used.Utime.Nano() + used.Stime.Nano())}
}

func usage() syscall.Rusage {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		panic(err) // It fails only for a wrong argument.
	}
	return used
}

func memory() runtime.MemStats {
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats
}

func millis(duration time.Duration) float64 {
	return float64(duration.Microseconds()) / 1000
}

// medianOf takes the median of each figure by itself.
func medianOf(runs []measurement) measurement {
	return measurement{
		WallMillis:         rounded(median(runs, func(m measurement) float64 { return m.WallMillis })),
		CPUMillis:          rounded(median(runs, func(m measurement) float64 { return m.CPUMillis })),
		ConstructMillis:    rounded(median(runs, func(m measurement) float64 { return m.ConstructMillis })),
		ConstructCPUMillis: rounded(median(runs, func(m measurement) float64 { return m.ConstructCPUMillis })),
		SolveMillis:        rounded(median(runs, func(m measurement) float64 { return m.SolveMillis })),
		SolveCPUMillis:     rounded(median(runs, func(m measurement) float64 { return m.SolveCPUMillis })),
		AllocatedBytes:     median(runs, func(m measurement) uint64 { return m.AllocatedBytes }),
		HeapBytes:          median(runs, func(m measurement) uint64 { return m.HeapBytes }),
		PeakHeapBytes:      median(runs, func(m measurement) uint64 { return m.PeakHeapBytes }),
		MaxRSSBytes:        median(runs, func(m measurement) uint64 { return m.MaxRSSBytes }),
	}
}

// median of an even count is the mean of the middle two.
func median[T float64 | uint64](runs []measurement, figure func(measurement) T) T {
	values := make([]T, 0, len(runs))
	for _, run := range runs {
		values = append(values, figure(run))
	}
	slices.Sort(values)
	middle := len(values) / 2
	if len(values)%2 == 1 {
		return values[middle]
	}
	return (values[middle-1] + values[middle]) / 2
}

// rounded cuts the noise that sums and halves of decimal figures gather in binary.
func rounded(value float64) float64 {
	return math.Round(value*1e6) / 1e6
}
