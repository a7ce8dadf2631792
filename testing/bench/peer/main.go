// Command peer solves scheduling problems with the public Go module sigs.k8s.io/karpenter as a library, so that
// price, time, memory and decisions can be laid beside ours. See README.md.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/klog/v2"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

// settings are the flags.
type settings struct {
	isServing bool
	runs      int
	warmups   int
	repeats   int
	seed      uint64
	timeout   time.Duration
	isHurried bool
	// isConsolidating asks for commands that make a fleet cheaper, instead of nodes for pods that wait.
	isConsolidating bool
	limit           time.Duration
	// isReservedCapacityOn overrides the documents' feature gate when it is given.
	isReservedCapacityOn *bool
}

func main() {
	// Left alone, controller-runtime complains on standard error after 30 seconds.
	log.SetLogger(logr.Discard())
	klog.SetLogger(logr.Discard())
	var given settings
	flag.BoolVar(&given.isServing, "serve", false, "read paths or one-line documents from standard input, answer one line each")
	flag.IntVar(&given.runs, "runs", 1, "measured passes; figures are medians")
	flag.IntVar(&given.warmups, "warmups", 0, "passes before the measured ones")
	flag.IntVar(&given.repeats, "repeat", 1, "passes whose answers are compared; lists come shuffled from the second on")
	flag.Uint64Var(&given.seed, "seed", 0, "draws the pods' uids of neutral problems; repeats and runs count up from it")
	flag.BoolFunc("reserved-capacity", "override the feature gate ReservedCapacity of all documents: true or false",
		func(text string) error {
			isOn, err := strconv.ParseBool(text)
			given.isReservedCapacityOn = &isOn
			return err
		})
	flag.DurationVar(&given.timeout, "timeout", 0, "stop a solve after this time, such as 500s; 0 is never")
	flag.BoolVar(&given.isHurried, "hurried", false, "leave out the heap figures and the garbage collections they need")
	flag.BoolVar(&given.isConsolidating, "consolidate", false, "consolidate the fleets of the snapshots until nothing more is found")
	flag.DurationVar(&given.limit, "limit", 30*time.Minute, "with --consolidate: begin no further decision after this time")
	isVersion := flag.Bool("version", false, "say which module version is linked in")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: peer [flags] FILE... (.json, .json.gz, - for standard input) | peer [flags] --serve")
		flag.PrintDefaults()
	}
	flag.Parse()
	var err error
	switch {
	case *isVersion:
		fmt.Println(moduleVersion())
	case given.isServing:
		err = given.serve(os.Stdin, os.Stdout)
	case flag.NArg() == 0:
		flag.Usage()
		os.Exit(2)
	default:
		err = given.answerFiles(flag.Args(), os.Stdout)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "peer:", err)
		os.Exit(1)
	}
}

func moduleVersion() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, module := range info.Deps {
			if module.Path == "sigs.k8s.io/karpenter" {
				return module.Path + " " + module.Version
			}
		}
	}
	return "unknown"
}

// failure is the line given in place of an answer.
type failure struct {
	Name  string `json:"name"`
	Error string `json:"error"`
}

// answerFiles writes a line for every file and fails at the end if one of them could not be solved.
func (s settings) answerFiles(paths []string, out io.Writer) error {
	var failures []error
	for _, path := range paths {
		raw, err := readDocument(path)
		if err == nil {
			err = s.answerTo(raw, nameOf(path), out)
		}
		if err != nil {
			failures = append(failures, err, writeLine(out, failure{nameOf(path), err.Error()}))
		}
	}
	return errors.Join(failures...)
}

// serve answers until standard input ends. A line that cannot be answered gets an error line, and the next goes on.
func (s settings) serve(in io.Reader, out io.Writer) error {
	lines := bufio.NewReaderSize(in, 1<<20)
	for number := 1; ; number++ {
		line, readErr := lines.ReadBytes('\n')
		if text := bytes.TrimSpace(line); len(text) > 0 {
			if err := s.serveLine(text, number, out); err != nil {
				return err
			}
		}
		if errors.Is(readErr, io.EOF) {
			return nil
		}
		if readErr != nil {
			return fmt.Errorf("reading line %d: %w", number, readErr)
		}
	}
}

func (s settings) serveLine(text []byte, number int, out io.Writer) error {
	raw, name := text, fmt.Sprintf("line-%d", number)
	if text[0] != '{' {
		path := string(text)
		name = nameOf(path)
		var err error
		if raw, err = readDocument(path); err != nil {
			return writeLine(out, failure{name, err.Error()})
		}
	}
	if err := s.answerTo(raw, name, out); err != nil {
		return writeLine(out, failure{name, err.Error()})
	}
	return nil
}

func (s settings) answerTo(raw []byte, name string, out io.Writer) error {
	if s.isConsolidating {
		result, err := s.consolidate(raw, name)
		if err != nil {
			return err
		}
		return writeLine(out, result)
	}
	result, err := s.solve(raw, name)
	if err != nil {
		return err
	}
	return writeLine(out, result)
}

func writeLine(out io.Writer, value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}
	_, err = out.Write(append(text, '\n'))
	return err
}

// solve answers one document. The module panics on some documents an API server would refuse; that is an answer too.
func (s settings) solve(raw []byte, name string) (result answer, err error) {
	defer func() {
		if caught := recover(); caught != nil {
			err = fmt.Errorf("%s: the solver panicked: %v at %s", name, caught, panicPlace(debug.Stack()))
		}
	}()
	parsed, err := parseDocument(raw, name)
	if err != nil {
		return answer{}, err
	}
	if s.isReservedCapacityOn != nil {
		parsed.Options.ReservedCapacity = s.isReservedCapacityOn
	}
	return s.solveDocument(parsed)
}

// solveDocument makes one pass per run or repeat, whichever is more, each on a world of its own.
func (s settings) solveDocument(parsed document) (answer, error) {
	var answers []answer
	var measured []measurement
	for i := -s.warmups; i < max(s.runs, s.repeats, 1); i++ {
		ready, err := newWorld(parsed, s.seed+uint64(max(i, 0)))
		if err != nil {
			return answer{}, err
		}
		given, cost, err := s.solveOnce(ready, orderOf(i))
		if err != nil {
			return answer{}, fmt.Errorf("%s: %w", ready.name, err)
		}
		if i >= 0 {
			answers = append(answers, given)
			measured = append(measured, cost)
		}
	}
	result := answers[0]
	cost := medianOf(measured)
	result.Solve, result.Runs = &cost, len(measured)
	if s.repeats > 1 {
		result.variants = variantsOf(answers)
	}
	return result, nil
}

func (s settings) solveOnce(ready *world, order *rand.Rand) (answer, measurement, error) {
	prepared, err := newPass(ready, order)
	if err != nil {
		return answer{}, measurement{}, err
	}
	decided, cost, err := prepared.run(s.timeout, startMeter(s.isHurried))
	if err != nil {
		return answer{}, measurement{}, err
	}
	return prepared.answer(decided), cost, nil
}

// orderOf gives the first pass the order of names, and each further one its own shuffle, the same in every process.
func orderOf(pass int) *rand.Rand {
	if pass <= 0 {
		return nil
	}
	return rand.New(rand.NewPCG(uint64(pass), 0))
}

// panicPlace picks the frame that panicked out of a stack: the one after the runtime's own.
func panicPlace(stack []byte) string {
	lines := strings.Split(string(stack), "\n")
	for i, line := range lines {
		if !strings.HasPrefix(line, "panic(") {
			continue
		}
		for _, place := range lines[i+1:] {
			if strings.HasPrefix(place, "\t") && !strings.Contains(place, "/runtime/") {
				return strings.TrimSpace(place)
			}
		}
	}
	return "an unknown place"
}
