// Strokes and colours of the map. Nothing here knows a node.

/** A box; a spot node's lacks a corner, so that it is told apart without colour. */
export function outline(context, box, isCut) {
  const radius = Math.min(5, box.w / 6, box.h / 6);
  const cut = isCut ? Math.min(11, box.w / 3, box.h / 3) : 0;
  context.beginPath();
  if (cut === 0) {
    context.roundRect(box.x, box.y, box.w, box.h, radius);
    return;
  }
  const right = box.x + box.w;
  const bottom = box.y + box.h;
  context.moveTo(box.x + radius, box.y);
  context.lineTo(right - cut, box.y);
  context.lineTo(right, box.y + cut);
  context.lineTo(right, bottom - radius);
  context.arcTo(right, bottom, right - radius, bottom, radius);
  context.lineTo(box.x + radius, bottom);
  context.arcTo(box.x, bottom, box.x, bottom - radius, radius);
  context.lineTo(box.x, box.y + radius);
  context.arcTo(box.x, box.y, box.x + radius, box.y, radius);
  context.closePath();
}

export function fitted(context, text, width) {
  if (context.measureText(text).width <= width) {
    return text;
  }
  let short = text;
  while (short.length > 1 && context.measureText(short + '…').width > width) {
    short = short.slice(0, -1);
  }
  return short.length > 1 ? short + '…' : '';
}

export function hash(text) {
  let value = 7;
  for (let index = 0; index < text.length; index++) {
    value = (value * 31 + text.charCodeAt(index)) >>> 0;
  }
  return value;
}

export function mixed(colour, ground, part) {
  const [a, b] = [channels(colour), channels(ground)];
  return `rgb(${a.map((value, index) => Math.round(value * part + b[index] * (1 - part))).join(',')})`;
}

function channels(colour) {
  return [1, 3, 5].map(at => parseInt(colour.slice(at, at + 2), 16));
}
