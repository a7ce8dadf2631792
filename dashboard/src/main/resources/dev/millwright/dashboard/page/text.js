// Numbers, times and sizes as people read them, and elements that hold them.

const DAY_MILLIS = 24 * 60 * 60 * 1000;

export function money(value) {
  return '$' + (value < 1 ? value.toFixed(4) : value.toLocaleString('en', {minimumFractionDigits: 2, maximumFractionDigits: 2}));
}

export function count(value) {
  return value.toLocaleString('en');
}

export function cores(millis) {
  return millis % 1000 === 0 ? String(millis / 1000) : String(Math.round(millis / 10) / 100);
}

export function bytes(value) {
  const gibi = value / 2 ** 30;
  return gibi >= 1 ? `${Math.round(gibi * 10) / 10} Gi` : `${Math.round(value / 2 ** 20)} Mi`;
}

export function percent(part) {
  return `${Math.round(part * 100)}%`;
}

/** The time of day, with seconds: 09:41:07. */
export function timeOfDay(millis) {
  return new Date(millis).toISOString().slice(11, 19);
}

export function hourAndMinute(millis) {
  return new Date(millis).toISOString().slice(11, 16);
}

/** Days count from the one the story began on. */
export function day(startedAt, at) {
  return `Day ${Math.floor(at / DAY_MILLIS) - Math.floor(startedAt / DAY_MILLIS) + 1}`;
}

export function lasting(millis) {
  const seconds = Math.max(0, Math.round(millis / 1000));
  if (seconds < 60) {
    return `${seconds} s`;
  }
  if (seconds < 3600) {
    return `${Math.floor(seconds / 60)} min`;
  }
  return `${Math.floor(seconds / 3600)} h ${Math.floor(seconds % 3600 / 60)} min`;
}

/** Minutes and seconds that are left: 1:42. */
export function countdown(millis) {
  const seconds = Math.max(0, Math.ceil(millis / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** An element with a class and words. */
export function element(kind, className, words) {
  const made = document.createElement(kind);
  if (className) {
    made.className = className;
  }
  if (words !== undefined) {
    made.textContent = words;
  }
  return made;
}

export function several(number, one, many = one + 's') {
  return `${count(number)} ${number === 1 ? one : many}`;
}

/** A node in a sentence. */
export function words(node) {
  return `${node.type}, ${node.capacityType}, pool ${node.pool}, ${node.zone}, ${node.phase === 'interrupted' ? 'taken back by the cloud' : node.phase}, `
      + `${several(node.pods.length, 'pod')}, CPU ${percent(node.cpu)}, memory ${percent(node.memory)}, `
      + `${money(node.pricePerHour)} per hour, node ${node.name}`;
}
