// The parts of the page beside the map: figures, deployments, waiting pods, decisions, the chosen node.

import {bytes, cores, count, countdown, day, hourAndMinute, lasting, money, percent, several, timeOfDay} from './text.js';
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

function element(kind, className, words) {
  const made = document.createElement(kind);
  if (className) {
    made.className = className;
  }
  if (words !== undefined) {
    made.textContent = words;
  }
  return made;
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
  text('pods-note', `${count(state.counters.podsRun)} run so far`);
  text('waits', count(state.waiting.length));
  const oldest = Math.min(...state.waiting.map(pod => pod.since));
  text('waits-note', state.waiting.length ? `the oldest for ${lasting(state.at - oldest)}` : 'none');
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
export function showWaiting(state) {
  const groups = new Map();
  for (const pod of state.waiting) {
    const key = pod.owner + '\n' + pod.reason;
    const group = groups.get(key) || {owner: pod.owner, reason: pod.reason, count: 0, since: pod.since};
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
    return line;
  });
  if (shown.length > GROUPS_MAX) {
    lines.push(element('li', 'quiet', `and ${count(shown.length - GROUPS_MAX)} groups more`));
  }
  $('waiting').replaceChildren(...lines);
}

export function showDecisions(decisions, isAnew) {
  const list = $('decisions');
  const made = decisions.slice(-DECISIONS_MAX).map(decision => {
    const line = element('li', decision.kind + (isAnew ? '' : ' fresh'));
    const sign = element('span', 'sign', SIGNS[decision.kind] || '•');
    sign.setAttribute('aria-hidden', 'true');
    line.append(sign, element('time', 'quiet', timeOfDay(decision.at)), element('span', 'words', decision.text));
    return line;
  }).reverse();
  if (isAnew) {
    list.replaceChildren(...made);
  } else {
    list.prepend(...made);
    while (list.children.length > DECISIONS_MAX) {
      list.lastChild.remove();
    }
  }
}

export function showNode(node, at, isReadOnly) {
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
  const owners = new Map();
  for (const pod of node.pods) {
    owners.set(pod.owner, (owners.get(pod.owner) || 0) + 1);
  }
  const list = $('detail-pods');
  const words = [...owners].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([owner, pods]) => `${owner} × ${pods}`);
  if (list.dataset.words !== words.join()) {
    list.dataset.words = words.join();
    list.replaceChildren(...words.map(each => element('li', '', each)));
  }
}
