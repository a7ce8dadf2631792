// How the page looks: light or dark, boxes by capacity type or by pool. A choice is kept for the next visit.

import {element} from './text.js';

const $ = id => document.getElementById(id);
const MEDIA = {system: '(prefers-color-scheme: dark)', dark: 'all', light: 'not all'};

export function listenToLook(map) {
  const theme = $('theme');
  const system = matchMedia(MEDIA.system);
  const apply = () => {
    $('dark').media = MEDIA[theme.value];
    document.documentElement.style.colorScheme = theme.value === 'system' ? '' : theme.value;
    map.recolour();
  };
  theme.value = kept('theme', Object.keys(MEDIA), 'system');
  theme.addEventListener('change', () => {
    keep('theme', theme.value);
    apply();
  });
  system.addEventListener('change', () => map.recolour());
  $('dark').addEventListener('load', () => map.recolour());
  apply();

  const colouring = $('colouring');
  colouring.value = kept('colouring', ['capacity', 'pool'], 'capacity');
  colouring.addEventListener('change', () => {
    keep('colouring', colouring.value);
    map.setColouring(colouring.value);
    showLegend(map);
  });
  map.setColouring(colouring.value);
}

/** Pools by letter and colour, where boxes are coloured by them. */
export function showLegend(map) {
  const isByPool = $('colouring').value === 'pool';
  const legend = $('pool-legend');
  $('legend').classList.toggle('by-pool', isByPool);
  legend.hidden = !isByPool;
  const keys = map.poolKeys();
  const words = keys.map(key => key.letter + key.name).join();
  if (isByPool && legend.dataset.words !== words) {
    legend.dataset.words = words;
    legend.replaceChildren(...keys.map(key => {
      const item = element('li');
      const sign = element('span', `key hue-${key.hue}`, key.letter);
      sign.setAttribute('aria-hidden', 'true');
      item.append(sign, key.name);
      return item;
    }));
  }
}

function kept(name, allowed, otherwise) {
  try {
    const value = localStorage.getItem('millwright-' + name);
    return allowed.includes(value) ? value : otherwise;
  } catch (failure) {
    return otherwise; // The visitor's browser keeps nothing.
  }
}

function keep(name, value) {
  try {
    localStorage.setItem('millwright-' + name, value);
  } catch (failure) {
    // Then it is chosen again next time.
  }
}
