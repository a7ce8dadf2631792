// One node's box on a canvas: its outline, its head, and a brick for each pod. Colours are by capacity type or by pool.

import {bricks} from './layout.js';
import {fitted, hash, mixed, outline} from './paint.js';
import {countdown} from './text.js';

/** How long a pod that has just come stands out. */
export const FLASH_MILLIS = 700;
const HEADED_WIDTH_MIN = 58;
const HEADED_HEIGHT_MIN = 40;
const BRICKED_MIN = 11;
const LETTERED_MIN = 18;
/** More pools than hues share them; letters tell those apart. */
const HUES = 8;
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const SHADES = [1, 0.78, 0.6, 0.46, 0.9, 0.69, 0.53];

export class BoxPainter {
  constructor() {
    this.at = 0;
    this.births = new Map();
    this.highlight = '';
    this.found = null;
    this.colouring = 'capacity';
    this.pools = new Map();
    this.readColours();
  }

  readColours() {
    const style = getComputedStyle(document.documentElement);
    const colour = name => style.getPropertyValue('--' + name).trim();
    this.colours = {
      'spot': colour('spot'), 'on-demand': colour('on-demand'), 'reserved': colour('reserved'),
      'danger': colour('danger'), 'ink': colour('ink'), 'muted': colour('muted'), 'panel': colour('panel'),
      'box': colour('box'), 'focus': colour('focus'), 'daemon': colour('daemon'), 'on': colour('on-colour'),
    };
    this.hues = Array.from({length: HUES}, (_, index) => colour('pool-' + index));
    this.shades = new Map();
  }

  /** A pool keeps its place, so that a new one changes no colour of another. */
  notePools(nodes) {
    for (const pool of [...new Set([...nodes.values()].map(node => node.pool))].sort()) {
      if (!this.pools.has(pool)) {
        this.pools.set(pool, this.pools.size);
      }
    }
  }

  colourOf(node) {
    return this.colouring === 'pool' ? this.hues[this.pools.get(node.pool) % HUES] || this.colours['on-demand']
        : this.colours[node.capacityType] || this.colours['on-demand'];
  }

  /** What stands for each pool. */
  poolKeys() {
    return [...this.pools].map(([name, index]) => ({name, letter: LETTERS[index % LETTERS.length], hue: index % HUES}));
  }

  drawBox(context, node, box, now) {
    if (!node) {
      return;
    }
    box.last = node;
    const colour = this.colourOf(node);
    const isTakenBack = node.phase === 'interrupted';
    const isComing = node.phase === 'launching' || node.phase === 'starting';
    context.save();
    context.globalAlpha = box.alpha * (this.found && !this.found.has(node.name) ? 0.2 : 1);
    outline(context, box, node.capacityType === 'spot');
    context.fillStyle = this.colours.box;
    context.fill();
    context.save();
    context.clip();
    const head = box.w >= HEADED_WIDTH_MIN && box.h >= HEADED_HEIGHT_MIN ? 17 : 0;
    this.drawBricks(context, node, box, head, now);
    context.restore();
    if (head) {
      this.drawHead(context, node, box, colour);
    } else if (box.h >= LETTERED_MIN && box.w >= LETTERED_MIN) {
      this.drawBadge(context, box.x + 3, box.y + 3, this.sign(node), isTakenBack ? this.colours.danger : colour);
    }
    outline(context, box, node.capacityType === 'spot');
    context.strokeStyle = isTakenBack ? this.colours.danger : colour;
    context.lineWidth = isTakenBack ? 2.5 : box.w < LETTERED_MIN ? 0.8 : 1.3;
    context.setLineDash(isComing || node.phase === 'draining' ? [4, 3] : []);
    context.stroke();
    context.restore();
  }

  drawBricks(context, node, box, head, now) {
    const room = {x: box.x, y: box.y + head, w: box.w, h: box.h - head};
    const isLeaving = node.phase === 'draining' || node.phase === 'interrupted';
    const strength = isLeaving ? 0.5 : 1;
    const alpha = context.globalAlpha;
    if (box.h < BRICKED_MIN || box.w < BRICKED_MIN) {
      context.globalAlpha = alpha * strength;
      context.fillStyle = this.shade(node, '', 0);
      const used = room.h * node.fill;
      context.fillRect(room.x, room.y + room.h - used, room.w, used);
      context.globalAlpha = alpha;
      return;
    }
    const inset = box.w > 60 ? 3 : 1;
    const between = box.w > 60 ? 1.5 : 0.6;
    for (const brick of this.bricksOf(node, box, room.w - 2 * inset, room.h - inset)) {
      const isDim = this.highlight && brick.pod.owner !== this.highlight;
      context.globalAlpha = alpha * strength * (isDim ? 0.18 : 1);
      context.fillStyle = this.shade(node, brick.pod.owner);
      const x = room.x + inset + brick.x;
      const y = room.y + brick.y;
      const w = Math.max(0.6, brick.w - between);
      const h = Math.max(0.6, brick.h - between);
      context.fillRect(x, y, w, h);
      const birth = this.births.get(brick.pod.name);
      if (birth !== undefined) {
        context.globalAlpha = alpha * Math.max(0, 1 - (now - birth) / FLASH_MILLIS) * 0.85;
        context.fillStyle = this.colours.ink;
        context.fillRect(x, y, w, h);
      }
    }
    context.globalAlpha = alpha;
  }

  /** Bricks are laid for the place the box goes to, and stretched on the way there. */
  bricksOf(node, box, w, h) {
    if (box.laid !== node || box.laidW !== box.target.w || box.laidH !== box.target.h) {
      box.laid = node;
      box.laidW = box.target.w;
      box.laidH = box.target.h;
      box.bricks = bricks(node, w, h);
      box.bricksW = w;
      box.bricksH = h;
    }
    if (box.bricksW === w && box.bricksH === h) {
      return box.bricks;
    }
    const across = w / box.bricksW;
    const up = h / box.bricksH;
    return box.bricks.map(each => ({pod: each.pod, x: each.x * across, y: each.y * up, w: each.w * across, h: each.h * up}));
  }

  drawHead(context, node, box, colour) {
    const isTakenBack = node.phase === 'interrupted';
    this.drawBadge(context, box.x + 4, box.y + 3, this.sign(node), isTakenBack ? this.colours.danger : colour);
    context.font = '600 11px system-ui, sans-serif';
    context.textBaseline = 'middle';
    context.fillStyle = isTakenBack ? this.colours.danger : this.colours.ink;
    const words = isTakenBack && node.endsAt ? countdown(node.endsAt - this.at)
        : node.phase === 'launching' || node.phase === 'starting' ? node.phase : node.type;
    if (context.measureText(words).width > box.w - 27) {
      context.font = '600 9.5px system-ui, sans-serif';
    }
    context.fillText(fitted(context, words, box.w - 27), box.x + 20, box.y + 10);
  }

  sign(node) {
    return node.phase === 'interrupted' ? '⚡' : node.phase === 'draining' ? '↓'
        : this.colouring === 'pool' ? LETTERS[this.pools.get(node.pool) % LETTERS.length]
        : node.capacityType === 'spot' ? 'S' : node.capacityType === 'reserved' ? 'R' : 'O';
  }

  drawBadge(context, x, y, letter, colour) {
    context.fillStyle = colour;
    context.beginPath();
    context.roundRect(x, y, 13, 13, 3);
    context.fill();
    context.fillStyle = this.colours.on;
    context.font = '700 9.5px system-ui, sans-serif';
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    context.fillText(letter, x + 6.5, y + 7);
    context.textAlign = 'left';
  }

  /** Owners differ by shade; the hue is the capacity type's or the pool's. */
  shade(node, owner) {
    const key = (this.colouring === 'pool' ? node.pool : node.capacityType) + '\n' + owner;
    let shade = this.shades.get(key);
    if (!shade) {
      shade = mixed(this.colourOf(node), this.colours.box, SHADES[hash(owner) % SHADES.length]);
      this.shades.set(key, shade);
    }
    return shade;
  }
}
