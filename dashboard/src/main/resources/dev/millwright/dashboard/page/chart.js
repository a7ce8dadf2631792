// What the fleet costs over time, and the least it could cost.

import {count, hourAndMinute, money, percent, timeOfDay} from './text.js';

const SPACE = 'http://www.w3.org/2000/svg';
const MARGIN = {left: 58, right: 14, top: 12, bottom: 24};
const TABLE_ROWS = 12;
const MARKED = new Set(['interrupt', 'failure']);

export class PriceChart {
  constructor(svg, caption, table) {
    this.svg = svg;
    this.caption = caption;
    this.table = table;
    this.history = [];
    this.decisions = [];
    this.index = -1;
    new ResizeObserver(() => this.draw()).observe(svg);
    svg.addEventListener('mousemove', event => this.point(event));
    svg.addEventListener('mouseleave', () => this.mark(-1));
    svg.addEventListener('keydown', event => this.key(event));
    svg.addEventListener('blur', () => this.mark(-1));
  }

  /** `at` is the moment that is looked at. */
  show(history, decisions, at) {
    this.at = at;
    this.history = history;
    this.decisions = decisions;
    this.draw();
  }

  draw() {
    const width = this.svg.clientWidth;
    const height = this.svg.clientHeight;
    this.svg.replaceChildren();
    if (this.history.length < 2 || width === 0) {
      this.caption.textContent = 'The line begins as soon as there is something to pay for.';
      return;
    }
    this.svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
    const first = this.history[0].at;
    const last = this.history[this.history.length - 1].at;
    const top = niceAbove(Math.max(...this.history.map(moment => Math.max(moment.price, moment.bound)), 0.01));
    this.x = at => MARGIN.left + (at - first) / (last - first || 1) * (width - MARGIN.left - MARGIN.right);
    this.y = price => height - MARGIN.bottom - price / top * (height - MARGIN.top - MARGIN.bottom);
    this.grid(width, height, top, first, last);
    const price = this.history.map(moment => `${this.x(moment.at).toFixed(1)},${this.y(moment.price).toFixed(1)}`);
    const bound = this.history.map(moment => `${this.x(moment.at).toFixed(1)},${this.y(moment.bound).toFixed(1)}`);
    this.add('polygon', {'class': 'gap-area', points: [...price, ...bound.slice().reverse()].join(' ')});
    this.add('polygon', {'class': 'bound-area', points: [...bound, `${this.x(last)},${this.y(0)}`, `${this.x(first)},${this.y(0)}`].join(' ')});
    this.add('polyline', {'class': 'bound-line', points: bound.join(' ')});
    this.add('polyline', {'class': 'price-line', points: price.join(' ')});
    this.strikes(first, height);
    if (this.at >= first && this.at < last) {
      this.add('line', {'class': 'here', x1: this.x(this.at), x2: this.x(this.at), y1: MARGIN.top, y2: this.y(0)});
    }
    this.tell();
    this.mark(this.index);
  }

  grid(width, height, top, first, last) {
    for (let step = 0; step <= 4; step++) {
      const price = top * step / 4;
      this.add('line', {'class': 'grid', x1: MARGIN.left, x2: width - MARGIN.right, y1: this.y(price), y2: this.y(price)});
      this.add('text', {'class': 'tick', x: MARGIN.left - 8, y: this.y(price) + 4, 'text-anchor': 'end'}, priceTick(price, top));
    }
    const stride = timeStride(last - first, Math.max(2, Math.floor(width / 110)));
    for (let at = Math.ceil(first / stride) * stride; at <= last; at += stride) {
      this.add('line', {'class': 'grid', x1: this.x(at), x2: this.x(at), y1: height - MARGIN.bottom, y2: height - MARGIN.bottom + 4});
      this.add('text', {'class': 'tick', x: this.x(at), y: height - 6, 'text-anchor': 'middle'}, hourAndMinute(at));
    }
  }

  /** When the cloud took nodes back. */
  strikes(first, height) {
    for (const decision of this.decisions) {
      if (MARKED.has(decision.kind) && decision.at >= first) {
        const x = this.x(decision.at);
        const y = height - MARGIN.bottom;
        this.add('path', {'class': 'strike', d: `M${x} ${y}l-4 -8h8z`}, undefined, decision.text);
      }
    }
  }

  tell() {
    const now = this.history[this.history.length - 1];
    const least = Math.min(...this.history.map(moment => moment.price));
    const most = Math.max(...this.history.map(moment => moment.price));
    this.summary = `Now ${money(now.price)} an hour`
        + (now.bound > 0 ? `; no fleet for these pods can cost less than ${money(now.bound)}` : '')
        + `. In the time shown between ${money(least)} and ${money(most)}.`;
    this.caption.textContent = this.summary;
    const stride = Math.max(1, Math.ceil(this.history.length / TABLE_ROWS));
    const rows = this.history.filter((_, index) => index % stride === 0 || index === this.history.length - 1);
    this.table.replaceChildren(...rows.map(moment => {
      const row = document.createElement('tr');
      for (const text of [timeOfDay(moment.at), money(moment.price), money(moment.bound), count(moment.nodes), count(moment.pods)]) {
        const cell = document.createElement('td');
        cell.textContent = text;
        row.append(cell);
      }
      return row;
    }));
  }

  point(event) {
    if (this.history.length < 2) {
      return;
    }
    const x = event.clientX - this.svg.getBoundingClientRect().left;
    let best = 0;
    this.history.forEach((moment, index) => {
      if (Math.abs(this.x(moment.at) - x) < Math.abs(this.x(this.history[best].at) - x)) {
        best = index;
      }
    });
    this.mark(best);
  }

  key(event) {
    const last = this.history.length - 1;
    const from = this.index < 0 ? last : this.index;
    const next = {ArrowLeft: Math.max(0, from - 1), ArrowRight: Math.min(last, from + 1), Home: 0, End: last}[event.key];
    if (next !== undefined && last > 0) {
      event.preventDefault();
      this.mark(next);
    }
  }

  mark(index) {
    this.index = index;
    this.svg.querySelectorAll('.pointer').forEach(element => element.remove());
    const moment = this.history[index];
    if (!moment || !this.x) {
      this.caption.textContent = this.summary || this.caption.textContent;
      return;
    }
    const x = this.x(moment.at);
    this.add('line', {'class': 'pointer rule', x1: x, x2: x, y1: MARGIN.top, y2: this.y(0)});
    this.add('circle', {'class': 'pointer price-dot', cx: x, cy: this.y(moment.price), r: 4});
    this.add('circle', {'class': 'pointer bound-dot', cx: x, cy: this.y(moment.bound), r: 3.5});
    const above = moment.bound > 0 ? `, ${percent(moment.price / moment.bound - 1)} above the bound of ${money(moment.bound)}` : '';
    this.caption.textContent = `${timeOfDay(moment.at)}: ${money(moment.price)} an hour${above}; ${count(moment.nodes)} nodes, ${count(moment.pods)} pods`;
  }

  add(kind, attributes, text, title) {
    const element = document.createElementNS(SPACE, kind);
    for (const [name, value] of Object.entries(attributes)) {
      element.setAttribute(name, value);
    }
    if (text !== undefined) {
      element.textContent = text;
    }
    if (title !== undefined) {
      const words = document.createElementNS(SPACE, 'title');
      words.textContent = title;
      element.append(words);
    }
    this.svg.append(element);
  }
}

function niceAbove(value) {
  const power = Math.pow(10, Math.floor(Math.log10(value)));
  return [1, 1.2, 1.6, 2, 2.4, 2.8, 3.2, 3.6, 4, 4.8, 6, 8, 10, 12].map(step => step * power).find(step => step >= value * 1.04) || value * 1.1;
}

function priceTick(price, top) {
  return '$' + price.toFixed(top >= 20 ? 0 : top >= 2 ? 1 : top >= 0.2 ? 2 : 3);
}

function timeStride(span, ticksMax) {
  const minute = 60_000;
  const strides = [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1440, 2880, 7200, 14400];
  return minute * (strides.find(stride => span / (stride * minute) <= ticksMax) || strides[strides.length - 1]);
}
