// The parts of the page beside the map: figures, deployments, waiting pods, decisions, the chosen node.

import {bytes, cores, count, countdown, day, element, hourAndMinute, lasting, money, percent, several, timeOfDay} from './text.js';
import {podCount} from './state.js';

const GROUPS_MAX = 30;
const DECISIONS_MAX = 80;
const SIGNS = {launch: '▲', remove: '▼', interrupt: '⚡', failure: '✕', workload: '◆', visitor: '☞'};
const SPEEDS = [1, 10, 30, 60, 120, 300, 600];

const $ = id => document.getElementById(id);

function text(id, value) {
  const element = $(id);
  if (element.textContent !== value) {
    element.textContent = value;
  }
}

export function showFigures(state) {
  const nodes = [...state.nodes.values()];
  const pods = podCount(state);
  const spot = nodes.filter(node => node.capacityType === 'spot').length;
  const coming = nodes.filter(node => node.phase === 'launching' || node.phase === 'starting').length;
  text('day', day(state.startedAt, state.at));
  text('clock', timeOfDay(state.at));
  text('price', money(state.pricePerHour));
  text('gap', state.lowerBoundPerHour > 0 && state.pricePerHour > 0
      ? `${percent(state.pricePerHour / state.lowerBoundPerHour - 1)} above the lower bound of ${money(state.lowerBoundPerHour)}`
      : 'no lower bound yet');
  text('nodes', count(nodes.length));
  text('nodes-note', `${count(spot)} spot, ${count(nodes.length - spot)} other` + (coming ? `, ${count(coming)} starting` : ''));
  text('pods', count(pods));
  text('pods-note', state.isReadOnly ? `${several(state.deployments.length, 'workload')}` : `${count(state.counters.podsRun)} run so far`);
  text('waits', count(state.waiting.length));
  const oldest = Math.min(...state.waiting.map(pod => pod.since));
  text('waits-note', state.waiting.length ? `the oldest for ${lasting(state.at - oldest)}` : 'none');
  if (state.isReadOnly) {
    const going = state.upcoming.reduce((sum, each) => sum + each.nodes.length, 0);
    const saved = state.upcoming.reduce((sum, each) => sum + each.savedPerHour, 0);
    text('lostnodes-head', 'Nodes about to go');
    text('lostnodes', count(going));
    text('lostnodes-note', going ? `${money(saved)} an hour less` : `${several(state.counters.nodesLaunched, 'launch', 'launches')}, ${several(state.counters.nodesTerminated, 'removal')} so far`);
    return;
  }
  text('lostnodes', count(state.counters.interruptions));
  text('lostnodes-note', `${several(state.counters.evictions, 'eviction')}, ${count(state.counters.nodesLaunched)} launched, ${count(state.counters.nodesTerminated)} gone`);
}

export function showPace(state) {
  press($('pause'), state.isPaused, state.isPaused ? 'Go on' : 'Pause', state.isPaused ? '▶' : '❚❚');
  press($('freeze'), state.isFrozen, state.isFrozen ? 'Unfreeze' : 'Freeze', '❄');
  $('frozen').hidden = !state.isFrozen;
  document.body.classList.toggle('is-frozen', state.isFrozen);
  const speed = $('speed');
  const known = SPEEDS.includes(state.speed) ? SPEEDS : [...SPEEDS, state.speed].sort((a, b) => a - b);
  if (speed.options.length !== known.length) {
    speed.replaceChildren(...known.map(value => {
      const option = element('option', '', `${count(value)}×`);
      option.value = String(value);
      return option;
    }));
  }
  if (document.activeElement !== speed && speed.value !== String(state.speed)) {
    speed.value = String(state.speed);
  }
}

function press(button, isPressed, word, glyph) {
  button.setAttribute('aria-pressed', String(isPressed));
  button.querySelector('.word').textContent = word;
  button.querySelector('.glyph').textContent = glyph;
}

/** Rows are kept, so that a button somebody holds the focus on is still there. */
export function showDeployments(state, onScale, onHighlight) {
  const list = $('deployments');
  const rows = new Map([...list.children].map(row => [row.dataset.name, row]));
  const wanted = state.deployments.map(deployment => {
    const row = rows.get(deployment.name) || deploymentRow(deployment, onScale, onHighlight, state.isReadOnly);
    fillDeployment(row, deployment);
    return row;
  });
  if (wanted.length !== list.children.length || wanted.some((row, index) => list.children[index] !== row)) {
    list.replaceChildren(...wanted);
  }
}

function deploymentRow(deployment, onScale, onHighlight, isReadOnly) {
  const name = deployment.name;
  const row = element('li');
  row.dataset.name = name;
  const label = element('div', 'what');
  label.append(element('strong', '', name), element('span', 'quiet size'));
  const meter = element('div', 'ready');
  meter.append(element('span', 'done'));
  const state = element('span', 'count');
  row.append(label, state);
  if (!isReadOnly) {
    const field = element('input');
    field.type = 'number';
    field.min = '0';
    field.max = '5000';
    field.setAttribute('aria-label', `Replicas of ${name}`);
    field.addEventListener('change', () => onScale(name, Math.round(Number(field.value))));
    const less = stepButton('−', `Fewer replicas of ${name}`, () => onScale(name, Math.max(0, Number(row.dataset.wanted) - stepOf(row))));
    const more = stepButton('+', `More replicas of ${name}`, () => onScale(name, Number(row.dataset.wanted) + stepOf(row)));
    const steps = element('span', 'steps acts');
    steps.append(less, field, more);
    row.append(steps);
  }
  row.append(meter);
  for (const event of ['mouseenter', 'focusin']) {
    row.addEventListener(event, () => onHighlight(name));
  }
  for (const event of ['mouseleave', 'focusout']) {
    row.addEventListener(event, () => onHighlight(''));
  }
  return row;
}

function stepOf(row) {
  return Math.max(1, Math.round(Number(row.dataset.wanted) / 10));
}

function stepButton(sign, label, act) {
  const button = element('button', '', sign);
  button.type = 'button';
  button.setAttribute('aria-label', label);
  button.addEventListener('click', act);
  return button;
}

function fillDeployment(row, deployment) {
  row.dataset.wanted = deployment.wanted;
  const size = `${cores(deployment.cpu)} CPU, ${bytes(deployment.memory)}`;
  row.querySelector('.size').textContent = size;
  row.querySelector('.count').textContent = `${count(deployment.ready)} of ${count(deployment.wanted)} ready`;
  row.querySelector('.done').style.width = `${deployment.wanted ? Math.min(100, 100 * deployment.ready / deployment.wanted) : 100}%`;
  row.classList.toggle('behind', deployment.ready < deployment.wanted);
  const field = row.querySelector('input');
  if (field && document.activeElement !== field) {
    field.value = deployment.wanted;
  }
}

/** Pods of one owner with one reason are one line. */
export function showWaiting(state, onExplain) {
  const groups = new Map();
  for (const pod of state.waiting) {
    const key = pod.owner + '\n' + pod.reason;
    const group = groups.get(key) || {owner: pod.owner, reason: pod.reason, count: 0, since: pod.since, pod: pod.name};
    group.count++;
    group.since = Math.min(group.since, pod.since);
    groups.set(key, group);
  }
  const shown = [...groups.values()].sort((a, b) => a.since - b.since);
  $('waiting-none').hidden = shown.length > 0;
  const lines = shown.slice(0, GROUPS_MAX).map(group => {
    const line = element('li');
    const head = element('p', 'who');
    head.append(element('span', 'badge', `${count(group.count)}×`), element('strong', '', group.owner),
        element('span', 'quiet', `since ${hourAndMinute(group.since)}`));
    line.append(head, element('p', 'why', group.reason));
    if (onExplain) {
      const why = element('button', 'small', 'Why?');
      why.type = 'button';
      why.setAttribute('aria-label', `Why does pod ${group.pod} wait?`);
      why.addEventListener('click', () => onExplain('pod', group.pod));
      head.append(why);
    }
    return line;
  });
  if (shown.length > GROUPS_MAX) {
    lines.push(element('li', 'quiet', `and ${count(shown.length - GROUPS_MAX)} groups more`));
  }
  $('waiting').replaceChildren(...lines);
}

/** With `onAsk` each line is a button; the arrow keys go from one to the next. */
export function showDecisions(decisions, isAnew, onAsk) {
  const list = $('decisions');
  const made = decisions.slice(-DECISIONS_MAX).map(decision => {
    const line = element('li', decision.kind + (isAnew ? '' : ' fresh'));
    const sign = element('span', 'sign', SIGNS[decision.kind] || '•');
    sign.setAttribute('aria-hidden', 'true');
    const holder = onAsk ? element('button', 'line') : line;
    holder.append(sign, element('time', 'quiet', timeOfDay(decision.at)), element('span', 'words', decision.text));
    if (onAsk) {
      holder.type = 'button';
      holder.tabIndex = -1;
      holder.addEventListener('click', () => onAsk(decision));
      line.append(holder);
    }
    return line;
  }).reverse();
  // A list that scrolls must be reached by the keyboard: by its lines, or by itself.
  list.tabIndex = onAsk ? -1 : 0;
  if (isAnew) {
    list.replaceChildren(...made);
  } else {
    list.prepend(...made);
    while (list.children.length > DECISIONS_MAX) {
      list.lastChild.remove();
    }
  }
  rove(list);
}

/** One line of the list can be reached by Tab: the one that has or had the focus, else the first. */
function rove(list) {
  const buttons = [...list.querySelectorAll('button.line')];
  if (buttons.length > 0 && !buttons.some(button => button.tabIndex === 0)) {
    buttons[0].tabIndex = 0;
  }
}

export function listenToDecisions() {
  const list = $('decisions');
  list.addEventListener('keydown', event => {
    const buttons = [...list.querySelectorAll('button.line')];
    const index = buttons.indexOf(document.activeElement);
    const next = {ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: buttons.length - 1}[event.key];
    if (index >= 0 && next !== undefined && buttons[next]) {
      event.preventDefault();
      buttons[index].tabIndex = -1;
      buttons[next].tabIndex = 0;
      buttons[next].focus();
    }
  });
}

export function showNode(node, at, isReadOnly, onExplain) {
  $('detail-none').hidden = Boolean(node);
  $('detail-node').hidden = !node;
  if (!node) {
    return;
  }
  const key = $('detail-key');
  key.className = `key ${node.capacityType}`;
  key.textContent = node.capacityType[0].toUpperCase();
  text('detail-type', node.type);
  text('detail-name', node.name);
  const phase = node.phase === 'interrupted' && node.endsAt ? `taken back in ${countdown(node.endsAt - at)}` : node.phase;
  text('detail-facts', `${node.capacityType} · ${node.zone} · pool ${node.pool} · ${money(node.pricePerHour)} an hour · ${phase}`);
  text('detail-kept', node.kept ? `Why it stays: ${node.kept}` : '');
  $('why').hidden = !onExplain;
  const interrupt = $('interrupt');
  interrupt.hidden = isReadOnly;
  const isIdle = node.phase === 'interrupted' || node.phase === 'launching';
  if (interrupt.getAttribute('aria-disabled') !== String(isIdle)) {
    interrupt.setAttribute('aria-disabled', String(isIdle));
  }
  interrupt.setAttribute('aria-label', `Interrupt node ${node.name}`);
  $('detail-cpu').value = node.cpu;
  text('detail-cpu-text', `${cores(node.cpuUsed)} of ${cores(node.cpuTotal)} cores`);
  $('detail-memory').value = node.memory;
  text('detail-memory-text', `${bytes(node.memoryUsed)} of ${bytes(node.memoryTotal)}`);
  showOwners(node, onExplain);
}

function showOwners(node, onExplain) {
  const owners = new Map();
  for (const pod of node.pods) {
    const pods = owners.get(pod.owner) || [];
    pods.push(pod.name);
    owners.set(pod.owner, pods);
  }
  const list = $('detail-pods');
  const sorted = [...owners].sort((a, b) => b[1].length - a[1].length || (a[0] < b[0] ? -1 : 1));
  const words = node.name + Boolean(onExplain) + sorted.map(([owner, pods]) => owner + pods.join()).join();
  if (list.dataset.words !== words) {
    list.dataset.words = words;
    list.replaceChildren(...sorted.map(([owner, pods]) => ownerItem(owner, pods, onExplain)));
  }
}

/** An owner opens to its pods, each of which can be asked about. */
function ownerItem(owner, pods, onExplain) {
  const words = `${owner} × ${pods.length}`;
  if (!onExplain) {
    return element('li', 'chip', words);
  }
  const item = element('li');
  const button = element('button', 'chip', words);
  button.type = 'button';
  button.setAttribute('aria-expanded', 'false');
  const inner = element('ul', 'pods');
  inner.hidden = true;
  button.addEventListener('click', () => {
    inner.hidden = !inner.hidden;
    button.setAttribute('aria-expanded', String(!inner.hidden));
    if (inner.children.length === 0) {
      inner.replaceChildren(...pods.map(pod => {
        const one = element('li');
        const ask = element('button', 'plain', pod);
        ask.type = 'button';
        ask.addEventListener('click', () => onExplain('pod', pod));
        one.append(ask);
        return one;
      }));
    }
  });
  item.append(button, inner);
  return item;
}
