// Where each node's box lies, and where each pod's brick lies in it. Pure: sizes in, rectangles out.

const TILE_MAX = 136;
const TILE_MIN = 7;
const SHRINK = 0.95;
/** Then a tile is as small as it gets. */
const STEPS_MAX = Math.ceil(Math.log(TILE_MIN / TILE_MAX) / Math.log(SHRINK));
const FLAT = 0.7;
const TALL = 0.86;
const STRETCH_MAX = 1.3;

/** How wide a machine's box is against one of four cores: it grows with the cores, but not as steeply. */
function breadth(node) {
  const cores = Math.max(0.5, node.cpuTotal / 1000);
  return Math.min(3.2, Math.max(0.72, Math.pow(cores / 4, 0.42)));
}

/** Boxes in rows, in the order given, as large as the space allows. */
export function tiles(nodes, width, height) {
  const breadths = nodes.map(breadth);
  const fits = unit => rowsOf(breadths, width, unit).length * (rowHeight(unit) + gapOf(unit)) - gapOf(unit) <= height;
  // The fewest steps of shrinking that suffice, found by halving: a large fleet is laid out with every change.
  let [low, high] = [0, STEPS_MAX];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (fits(TILE_MAX * Math.pow(SHRINK, middle))) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  const unit = TILE_MAX * Math.pow(SHRINK, low);
  return place(nodes, breadths, rowsOf(breadths, width, unit), width, height, unit);
}

function gapOf(unit) {
  return unit > 60 ? 10 : unit > 30 ? 6 : unit > 14 ? 3 : 2;
}

function rowHeight(unit) {
  return Math.max(6, Math.round(unit * FLAT));
}

/** The indexes at which rows begin. */
function rowsOf(breadths, width, unit) {
  const gap = gapOf(unit);
  const rows = [];
  let x = 0;
  breadths.forEach((breadth, index) => {
    const w = unit * breadth;
    if (index === 0 || x + w > width) {
      rows.push(index);
      x = 0;
    }
    x += w + gap;
  });
  return rows;
}

/** Full rows are stretched to the edge, and all rows to the ground, within reason. */
function place(nodes, breadths, rows, width, height, unit) {
  const gap = gapOf(unit);
  const h = Math.max(rowHeight(unit), Math.min(Math.floor(unit * TALL), Math.floor((height + gap) / rows.length) - gap));
  const placed = [];
  rows.forEach((from, row) => {
    const isLast = row === rows.length - 1;
    const to = isLast ? nodes.length : rows[row + 1];
    let taken = 0;
    for (let index = from; index < to; index++) {
      taken += unit * breadths[index];
    }
    const free = width - gap * (to - from - 1);
    const stretch = isLast ? 1 : Math.min(STRETCH_MAX, free / taken);
    let x = 0;
    for (let index = from; index < to; index++) {
      const w = Math.max(4, Math.floor(unit * breadths[index] * stretch));
      placed.push({name: nodes[index].name, x: Math.round(x), y: row * (h + gap), w, h, row});
      x += unit * breadths[index] * stretch + gap;
    }
  });
  return placed;
}

/**
 * Bricks for the pods of a node in a box that they fill from the ground up, to the height of what is used. A brick's
 * area is the pod's share of the machine, by the resource of which it takes more.
 */
export function bricks(node, width, height) {
  if (node.pods.length === 0 || node.fill === 0) {
    return [];
  }
  const shares = node.pods.map(pod => Math.max(
      node.cpuTotal > 0 ? pod.cpu / node.cpuTotal : 0, node.memoryTotal > 0 ? pod.memory / node.memoryTotal : 0, 0.004));
  const order = shares.map((_, index) => index)
      .sort((a, b) => shares[b] - shares[a] || (node.pods[a].owner < node.pods[b].owner ? -1 : 1));
  const sum = shares.reduce((total, share) => total + share, 0);
  const used = node.fill * height;
  const areas = order.map(index => shares[index] / sum * width * used);
  const placed = [];
  let from = 0;
  let bottom = height;
  while (from < areas.length) {
    const to = rowEnd(areas, from, width);
    const area = total(areas, from, to);
    const h = area / width;
    let x = 0;
    for (let index = from; index < to; index++) {
      const w = areas[index] / h;
      placed.push({pod: node.pods[order[index]], x, y: bottom - h, w, h});
      x += w;
    }
    bottom -= h;
    from = to;
  }
  return placed;
}

/** A row takes bricks as long as they come nearer to squares. */
function rowEnd(areas, from, width) {
  let to = from + 1;
  let worst = stretch(areas, from, to, width);
  while (to < areas.length) {
    const next = stretch(areas, from, to + 1, width);
    if (next > worst) {
      break;
    }
    worst = next;
    to++;
  }
  return to;
}

function stretch(areas, from, to, width) {
  const h = total(areas, from, to) / width;
  let worst = 1;
  for (let index = from; index < to; index++) {
    const w = areas[index] / h;
    worst = Math.max(worst, w / h, h / w);
  }
  return worst;
}

function total(areas, from, to) {
  let sum = 0;
  for (let index = from; index < to; index++) {
    sum += areas[index];
  }
  return sum;
}
