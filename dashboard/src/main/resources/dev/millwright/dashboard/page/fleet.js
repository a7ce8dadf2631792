// The fleet as a map: one box a node, one brick a pod, on a canvas, because ten thousands of elements are too many for
// a page. What the mouse and the keyboard mark lies on a second canvas, so that moving over the map redraws no box.

import {BoxPainter, FLASH_MILLIS} from './boxes.js';
import {tiles} from './layout.js';
import {count, words} from './text.js';

/** With more boxes on their way at once a frame would take too long, so they jump. */
const GLIDING_MAX = 300;
/** What drawing may take of a frame (bringing it to the screen takes as much again), and how many boxes lie between two looks at the clock. */
const SLICE_MILLIS = 5;
const FIRST_SLICE_MILLIS = 1000;
const BOXES_AT_ONCE = 12;
/** With more boxes to draw anew all of them are. */
const DIRTY_MAX = 150;
const GLIDE_PER_SECOND = 9;
/** Room for the strokes of boxes at the edge. */
const EDGE = 4;

export class FleetMap {
  constructor(root, onChoose) {
    this.root = root;
    this.onChoose = onChoose;
    this.tiles = root.querySelector('#tiles');
    this.marks = root.querySelector('#marks');
    this.active = root.querySelector('#active-node');
    this.empty = root.querySelector('#map-empty');
    this.nodes = new Map();
    this.places = [];
    this.boxes = new Map();
    this.dirty = new Set();
    this.chosen = '';
    this.hovered = '';
    this.behind = document.createElement('canvas');
    this.undrawn = null;
    this.hasDrawn = false;
    this.onDrawn = null;
    this.isGliding = false;
    this.isFirst = true;
    this.calm = matchMedia('(prefers-reduced-motion: reduce)');
    this.painter = new BoxPainter();
    new ResizeObserver(() => this.resize()).observe(root);
    this.listen();
  }

  listen() {
    this.root.addEventListener('mousemove', event => this.hover(this.nodeAt(event)));
    this.root.addEventListener('mouseleave', () => this.hover(''));
    this.root.addEventListener('click', event => this.choose(this.nodeAt(event)));
    this.root.addEventListener('keydown', event => this.key(event));
    this.root.addEventListener('focus', () => {
      if (!this.chosen && this.places.length > 0) {
        this.choose(this.places[0].name);
      }
      this.drawMarks();
    });
    this.root.addEventListener('blur', () => this.drawMarks());
  }

  /** The page has other colours now. */
  recolour() {
    this.painter.readColours();
    this.redraw();
  }

  /** By capacity type or by pool. */
  setColouring(colouring) {
    this.painter.colouring = colouring;
    this.recolour();
  }

  /** Names of nodes that stand out, or null for all. */
  setFound(names) {
    this.painter.found = names;
    this.redraw();
  }

  /** What stands for each pool. */
  poolKeys() {
    return this.painter.poolKeys();
  }

  /** Nodes as they are now; `names` are those that changed, or null for all. */
  show(state, names) {
    const before = this.nodes;
    this.painter.at = state.at;
    if (names === null || names.length > 0 || before.size !== state.nodes.size) {
      this.noteBirths(before, state.nodes, names);
      this.nodes = new Map(state.nodes);
      this.painter.notePools(this.nodes);
      this.arrange();
    }
    this.empty.hidden = this.nodes.size > 0;
    this.root.setAttribute('aria-label', `Nodes, ${count(this.nodes.size)} in all`);
    if (this.chosen && !this.nodes.has(this.chosen)) {
      this.choose('');
    }
    for (const node of this.nodes.values()) {
      if (node.phase === 'interrupted') {
        this.dirty.add(node.name);
      }
    }
    this.describeActive();
    this.request();
  }

  noteBirths(before, after, names) {
    if (this.isFirst || this.calm.matches || after.size > GLIDING_MAX) {
      this.isFirst = false;
      return;
    }
    const now = performance.now();
    for (const name of names || after.keys()) {
      const known = new Set((before.get(name)?.pods || []).map(pod => pod.name));
      for (const pod of after.get(name)?.pods || []) {
        if (!known.has(pod.name)) {
          this.painter.births.set(pod.name, now);
        }
      }
      this.dirty.add(name);
    }
  }

  arrange() {
    const nodes = [...this.nodes.values()];
    this.places = tiles(nodes, this.root.clientWidth - 2 * EDGE, this.root.clientHeight - 2 * EDGE)
        .map(place => ({...place, x: place.x + EDGE, y: place.y + EDGE}));
    const jumps = this.calm.matches || nodes.length > GLIDING_MAX || this.boxes.size === 0;
    let moved = false;
    for (const place of this.places) {
      const box = this.boxes.get(place.name);
      if (!box) {
        this.boxes.set(place.name, {...place, alpha: jumps ? 1 : 0, target: place, goal: 1});
        moved = true;
      } else {
        moved = moved || box.target.x !== place.x || box.target.y !== place.y || box.target.w !== place.w || box.target.h !== place.h || box.goal !== 1;
        Object.assign(box, {target: place, goal: 1}, jumps ? {...place, alpha: 1} : {});
      }
    }
    for (const [name, box] of this.boxes) {
      if (!this.nodes.has(name)) {
        moved = true;
        box.goal = 0;
        if (jumps) {
          this.boxes.delete(name);
        }
      }
    }
    if (moved && jumps) {
      this.isStale = true;
    } else if (moved) {
      this.isGliding = true;
    }
  }

  resize() {
    const scale = devicePixelRatio || 1;
    for (const canvas of [this.tiles, this.marks]) {
      canvas.width = Math.round(this.root.clientWidth * scale);
      canvas.height = Math.round(this.root.clientHeight * scale);
    }
    this.arrange();
    for (const box of this.boxes.values()) {
      Object.assign(box, box.target);
    }
    this.redraw();
  }

  redraw() {
    this.isStale = true;
    this.request();
  }

  setHighlight(owner) {
    if (this.painter.highlight !== owner) {
      this.painter.highlight = owner;
      this.redraw();
    }
  }

  request() {
    if (!this.isAwaited) {
      this.isAwaited = true;
      requestAnimationFrame(now => this.frame(now));
    }
  }

  frame(now) {
    this.isAwaited = false;
    if (this.boxes.size > GLIDING_MAX) {
      this.largeFrame(now);
      return;
    }
    this.undrawn = null;
    const seconds = Math.min(0.05, (now - (this.lastFrame || now)) / 1000) || 0.016;
    this.lastFrame = now;
    if (this.isGliding) {
      this.isGliding = this.glide(1 - Math.exp(-seconds * GLIDE_PER_SECOND));
      this.isStale = true;
    }
    for (const [name, birth] of this.painter.births) {
      if (now - birth > FLASH_MILLIS) {
        this.painter.births.delete(name);
      }
    }
    const context = this.context(this.tiles);
    if (this.isStale || this.painter.births.size > 0) {
      context.clearRect(0, 0, this.root.clientWidth, this.root.clientHeight);
      for (const [name, box] of this.boxes) {
        this.painter.drawBox(context, this.nodes.get(name) || box.last, box, now);
      }
    } else {
      this.drawDirty(context, now);
    }
    this.isStale = this.painter.births.size > 0;
    this.dirty.clear();
    this.drawMarks();
    this.tellDrawn();
    if (this.isGliding || this.painter.births.size > 0) {
      this.request();
    } else {
      this.lastFrame = 0;
    }
  }

  /**
   * A fleet that is too large for one frame is drawn out of sight, a few milliseconds in each frame, and shown when it is
   * whole. Boxes that change meanwhile are drawn afterwards.
   */
  largeFrame(now) {
    if (this.dirty.size > DIRTY_MAX) {
      this.isStale = true;
      this.dirty.clear();
    }
    if (!this.undrawn && this.isStale) {
      this.isStale = false;
      this.undrawn = [...this.boxes].reverse();
      this.behind.width = this.tiles.width;
      this.behind.height = this.tiles.height;
    }
    // Nobody can do anything yet with a map that is not there.
    const end = performance.now() + (this.hasDrawn ? SLICE_MILLIS : FIRST_SLICE_MILLIS);
    if (this.undrawn) {
      const context = this.context(this.behind);
      while (this.undrawn.length > 0 && performance.now() < end) {
        for (const [name, box] of this.undrawn.splice(-BOXES_AT_ONCE).reverse()) {
          this.painter.drawBox(context, this.nodes.get(name), box, now);
        }
      }
      if (this.undrawn.length === 0) {
        this.undrawn = null;
        const shown = this.tiles.getContext('2d');
        shown.setTransform(1, 0, 0, 1, 0, 0);
        shown.clearRect(0, 0, this.tiles.width, this.tiles.height);
        shown.drawImage(this.behind, 0, 0);
        this.hasDrawn = true;
        this.tellDrawn();
      }
    } else {
      this.drawDirty(this.context(this.tiles), now);
      this.dirty.clear();
    }
    this.drawMarks();
    if (this.undrawn || this.isStale || this.dirty.size > 0) {
      this.request();
    }
  }

  drawDirty(context, now) {
    for (const name of this.dirty) {
      const box = this.boxes.get(name);
      if (box) {
        context.clearRect(box.x - 1.5, box.y - 1.5, box.w + 3, box.h + 3);
        this.painter.drawBox(context, this.nodes.get(name), box, now);
      }
    }
  }

  /** Calls back once, when the fleet is on the screen. */
  whenDrawn(act) {
    this.onDrawn = act;
    this.request();
  }

  tellDrawn() {
    const act = this.onDrawn;
    this.onDrawn = null;
    if (act) {
      act();
    }
  }

  /** Brings each box nearer to its place; says whether some are still under way. */
  glide(part) {
    let isUnderWay = false;
    for (const [name, box] of this.boxes) {
      for (const side of ['x', 'y', 'w', 'h']) {
        box[side] += (box.target[side] - box[side]) * part;
        if (Math.abs(box.target[side] - box[side]) < 0.4) {
          box[side] = box.target[side];
        } else {
          isUnderWay = true;
        }
      }
      box.alpha += (box.goal - box.alpha) * part;
      if (Math.abs(box.goal - box.alpha) < 0.03) {
        box.alpha = box.goal;
      } else {
        isUnderWay = true;
      }
      if (box.goal === 0 && box.alpha === 0) {
        this.boxes.delete(name);
      }
    }
    return isUnderWay;
  }

  context(canvas) {
    const context = canvas.getContext('2d');
    const scale = devicePixelRatio || 1;
    context.setTransform(scale, 0, 0, scale, 0, 0);
    return context;
  }

  drawMarks() {
    const context = this.context(this.marks);
    context.clearRect(0, 0, this.root.clientWidth, this.root.clientHeight);
    if (this.hovered && this.hovered !== this.chosen) {
      this.mark(context, this.hovered, this.painter.colours.ink, 1.2, []);
    }
    if (this.chosen) {
      const hasFocus = document.activeElement === this.root;
      this.mark(context, this.chosen, this.painter.colours.focus, hasFocus ? 3 : 2, hasFocus ? [] : [5, 3]);
    }
  }

  mark(context, name, colour, width, dash) {
    const box = this.boxes.get(name);
    if (box) {
      context.strokeStyle = colour;
      context.lineWidth = width;
      context.setLineDash(dash);
      context.beginPath();
      context.roundRect(box.x - 2.5, box.y - 2.5, box.w + 5, box.h + 5, 6);
      context.stroke();
    }
  }

  nodeAt(event) {
    const frame = this.root.getBoundingClientRect();
    const x = event.clientX - frame.left - this.root.clientLeft;
    const y = event.clientY - frame.top - this.root.clientTop;
    const place = this.places.find(each => x >= each.x - 1 && x <= each.x + each.w + 1 && y >= each.y - 1 && y <= each.y + each.h + 1);
    return place ? place.name : '';
  }

  hover(name) {
    if (this.hovered !== name) {
      this.hovered = name;
      const node = this.nodes.get(name);
      this.root.title = node ? words(node) : '';
      this.drawMarks();
    }
  }

  choose(name) {
    this.chosen = name;
    this.describeActive();
    this.drawMarks();
    this.onChoose(name);
  }

  describeActive() {
    const node = this.nodes.get(this.chosen);
    if (!node) {
      this.root.removeAttribute('aria-activedescendant');
      this.active.textContent = '';
      return;
    }
    const text = words(node);
    if (this.active.textContent !== text) {
      this.active.textContent = text;
    }
    this.active.setAttribute('aria-setsize', this.places.length);
    this.active.setAttribute('aria-posinset', this.places.findIndex(place => place.name === this.chosen) + 1);
    this.root.setAttribute('aria-activedescendant', 'active-node');
  }

  key(event) {
    const index = this.places.findIndex(place => place.name === this.chosen);
    const last = this.places.length - 1;
    const next = {
      ArrowRight: () => Math.min(last, index + 1),
      ArrowLeft: () => Math.max(0, index - 1),
      ArrowDown: () => this.inRow(index, 1),
      ArrowUp: () => this.inRow(index, -1),
      Home: () => 0,
      End: () => last,
    }[event.key];
    if (next && last >= 0) {
      event.preventDefault();
      this.choose(this.places[index < 0 ? 0 : next()].name);
    } else if (event.key === 'Escape') {
      this.choose('');
    }
  }

  /** The box in the row above or below whose middle is nearest. */
  inRow(index, step) {
    const from = this.places[index];
    const middle = from.x + from.w / 2;
    let best = index;
    let nearest = Infinity;
    this.places.forEach((place, at) => {
      const away = Math.abs(place.x + place.w / 2 - middle);
      if (place.row === from.row + step && away < nearest) {
        nearest = away;
        best = at;
      }
    });
    return best;
  }
}
