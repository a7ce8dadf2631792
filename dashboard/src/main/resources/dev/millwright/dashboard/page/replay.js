// Going back in time: a slider over the moments that the server keeps, and the way back to now.

import {day, several, timeOfDay} from './text.js';

const REFRESH_MILLIS = 10_000;
const SETTLE_MILLIS = 60;

const $ = id => document.getElementById(id);

export class Replay {
  /** `onMoment` gets a whole picture of the past, or null for now. */
  constructor(reel, onMoment) {
    this.onMoment = onMoment;
    this.index = null;
    this.timer = 0;
    this.isFetching = false;
    this.slider = $('moment');
    $('replay').hidden = !reel.hasReel;
    if (reel.hasReel) {
      this.listen();
      this.know(reel);
    }
  }

  listen() {
    this.slider.addEventListener('input', () => this.choose(Number(this.slider.value)));
    $('earlier').addEventListener('click', () => this.step(-1));
    $('later').addEventListener('click', () => this.step(1));
    $('now').addEventListener('click', () => this.leave());
    setInterval(() => this.refresh(), REFRESH_MILLIS);
  }

  know(reel) {
    this.length = reel.length;
    this.isLive = reel.isLive;
    this.slider.max = Math.max(0, reel.length - 1);
    $('now').hidden = !reel.isLive;
    if (this.index === null) {
      this.slider.value = this.slider.max;
      this.tell(null);
    }
  }

  /** A fleet that lives has more moments by and by; a record has not. */
  async refresh() {
    if (this.isLive && this.index === null && !document.hidden) {
      try {
        this.know(await (await fetch('/api/moments')).json());
      } catch (failure) {
        // The stream tells that the server has gone.
      }
    }
  }

  step(by) {
    const from = this.index === null ? this.length - 1 : this.index;
    this.choose(Math.min(this.length - 1, Math.max(0, from + by)));
    this.slider.value = this.index;
  }

  jump(index) {
    if (index >= 0 && index < this.length) {
      this.choose(index);
      this.slider.value = index;
    }
  }

  choose(index) {
    this.index = index;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.load(), SETTLE_MILLIS);
  }

  /** One picture at a time; whoever moved on meanwhile gets the one they moved to. */
  async load() {
    if (this.isFetching || this.index === null) {
      return;
    }
    this.isFetching = true;
    const index = this.index;
    try {
      const picture = await (await fetch(`/api/picture?at=${index}`)).json();
      if (this.index === index) {
        this.tell(picture);
        this.onMoment(picture);
      }
    } catch (failure) {
      $('moment-text').textContent = 'This moment cannot be had; try another.';
    }
    this.isFetching = false;
    if (this.index !== null && this.index !== index) {
      this.load();
    }
  }

  leave() {
    this.index = null;
    this.slider.value = this.slider.max;
    this.tell(null);
    this.onMoment(null);
  }

  tell(picture) {
    const words = picture ? `${day(picture.startedAt, picture.at)}, ${timeOfDay(picture.at)}`
        : this.isLive ? `Now; ${several(this.length, 'moment')} to go back to` : 'The last moment of the record';
    $('moment-text').textContent = words;
    this.slider.setAttribute('aria-valuetext', words);
    document.body.classList.toggle('is-past', Boolean(picture) && this.isLive);
    $('now').setAttribute('aria-pressed', String(!picture));
  }
}
