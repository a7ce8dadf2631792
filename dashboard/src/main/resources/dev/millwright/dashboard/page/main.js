// Puts the page together: listens to the stream, hands what changed to the parts, sends what the visitor wants.

import {AnswerPanel} from './answer.js';
import {PriceChart} from './chart.js';
import {FleetMap} from './fleet.js';
import {listenToLook, showLegend} from './look.js';
import {listenToDecisions, showDecisions, showDeployments, showFigures, showNode, showPace, showWaiting} from './panels.js';
import {showKept, showUpcoming} from './plans.js';
import {Replay} from './replay.js';
import {applyChange, podCount, stateOf} from './state.js';
import {NodeTable} from './table.js';
import {count, money, several} from './text.js';

const TOAST_MILLIS = 4500;
const NEWS_MILLIS = 8000;
const CHART_MILLIS = 400;
/** A large fleet changes with every message; its table and its reasons are read, not watched. */
const READ_MILLIS = 700;

/** A fleet of more nodes is shown a few times a second at most; each time is a walk over all of it. */
const LARGE = 300;
const SHOW_MILLIS = 300;

const $ = id => document.getElementById(id);

const searchTexts = new WeakMap();

/** The fleet as it is, as the stream tells it; and as it was at the moment that is looked at, or null. */
let live = null;
let past = null;
let found = null;
let chartTimer = 0;
let readTimer = 0;
let toastTimer = 0;
let showTimer = 0;
let unshown = {names: []};
let unsaid = [];
let reel = {hasReel: false, hasAnswers: false, isLive: true, length: 0};
let replay = null;

const answer = new AnswerPanel(() => past && replay ? replay.index : null);
const map = new FleetMap($('map'), () => showChosen());
const table = new NodeTable(name => {
  map.choose(name);
  $('detail').scrollIntoView({block: 'nearest'});
});
const chart = new PriceChart($('chart'), $('chart-words'), $('chart-table'));

function shown() {
  return past || live;
}

function explain(kind, name) {
  answer.explain(kind, name);
}

function askDecision(decision) {
  if (replay && !reel.isLive) {
    // In a record a decision is a moment: its number is that of the picture it made.
    replay.jump(decision.number);
  }
  answer.decision(decision.number, decision.text);
}

const onExplain = () => reel.hasAnswers ? explain : null;
const onAsk = () => reel.hasAnswers ? askDecision : null;

function showChosen() {
  const state = shown();
  if (state) {
    showNode(state.nodes.get(map.chosen), state.at, state.isReadOnly || Boolean(past), onExplain());
  }
}

function begin(picture) {
  live = stateOf(picture);
  document.body.classList.toggle('is-read-only', live.isReadOnly);
  $('title').textContent = live.title;
  $('lost').hidden = true;
  if (live.isReadOnly) {
    $('about').textContent = 'Nothing can be changed here. Prices are those by which the operator decides.';
  }
  if (!past) {
    showAll();
  }
  map.whenDrawn(() => requestAnimationFrame(() => {
    performance.mark('first-picture');
    document.body.dataset.ready = 'true';
  }));
}

function showAll() {
  showDecisions(shown().decisions, true, onAsk());
  showParts({fleet: true, waiting: true, deployments: true, history: true, upcoming: true}, null);
}

function go(change) {
  const changed = applyChange(live, change);
  unsaid.push(...changed.decisions);
  if (past) {
    return;
  }
  if (changed.decisions.length > 0) {
    showDecisions(changed.decisions, false, onAsk());
  }
  const names = change.nodes.map(node => node.name).concat(change.gone);
  if (live.nodes.size <= LARGE) {
    showParts(changed, names);
    return;
  }
  unshown.names.push(...names);
  for (const part of ['fleet', 'waiting', 'deployments', 'upcoming', 'history']) {
    unshown[part] = unshown[part] || changed[part];
  }
  if (!showTimer) {
    showTimer = setTimeout(showUnshown, SHOW_MILLIS);
  }
}

/** What came of a large fleet since it was last shown. */
function showUnshown() {
  const parts = unshown;
  showTimer = 0;
  unshown = {names: []};
  if (!past) {
    showParts(parts, parts.names);
  }
}

function showParts(changed, names) {
  const state = shown();
  showFigures(state);
  showPace(state);
  map.show(state, names);
  showLegend(map);
  $('hint').hidden = !(state.isReadOnly && reel.isLive && state.nodes.size === 0 && state.decisions.length === 0);
  if (changed.waiting) {
    showWaiting(state, onExplain());
  }
  if (changed.deployments) {
    showDeployments(state, (deployment, replicas) => send({action: 'scale', deployment, replicas}), owner => map.setHighlight(owner));
  }
  if (changed.upcoming) {
    showUpcoming(state, choose);
  }
  if (changed.fleet && !readTimer) {
    readTimer = setTimeout(() => {
      readTimer = 0;
      showKept(shown(), choose);
      find();
    }, names === null ? 0 : READ_MILLIS);
  }
  if (changed.history && !chartTimer) {
    // Its line is long and moves little: often enough is enough, but the last change is never left out.
    chartTimer = setTimeout(() => {
      chartTimer = 0;
      chart.show(shown().history, shown().decisions, shown().at);
    }, names === null ? 0 : CHART_MILLIS);
  }
  showChosen();
}

/** Nodes that a line speaks of: one is chosen, several stand out. */
function choose(names) {
  if (names.length === 1) {
    map.choose(names[0]);
    $('map').scrollIntoView({block: 'nearest'});
  } else {
    $('find').value = '';
    setFound(new Set(names), `${several(names.length, 'node')} stand out`);
  }
}

function find() {
  const state = shown();
  const words = $('find').value.trim().toLowerCase();
  if (!words) {
    if (!found) {
      table.show(state.nodes, null);
    }
    return;
  }
  const names = new Set();
  for (const node of state.nodes.values()) {
    if (searchText(node).includes(words)) {
      names.add(node.name);
    }
  }
  setFound(names, `${several(names.size, 'node')} found`);
}

/** A node that changes is another object, so that its text never grows old. */
function searchText(node) {
  let text = searchTexts.get(node);
  if (text === undefined) {
    text = [node.name, node.pool, node.type, node.zone, node.capacityType, node.phase,
      ...node.pods.map(pod => `${pod.name}\n${pod.owner}`)].join('\n').toLowerCase();
    searchTexts.set(node, text);
  }
  return text;
}

function setFound(names, words) {
  found = names;
  map.setFound(names);
  table.show(shown().nodes, names);
  $('found').textContent = words;
  $('find-all').hidden = !names;
}

async function send(action) {
  try {
    const reply = await fetch('/api/actions', {
      method: 'POST',
      headers: {'Content-Type': 'application/json'},
      body: JSON.stringify(action),
    });
    const said = await reply.json();
    toast(reply.ok ? said.message : said.error, reply.ok);
  } catch (failure) {
    toast('The demo does not answer; is it still running?', false);
  }
}

function toast(words, isGood) {
  const box = $('toast');
  box.textContent = words;
  box.classList.toggle('bad', !isGood);
  box.hidden = false;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => {
    box.hidden = true;
  }, TOAST_MILLIS);
}

/** For those who listen: now and then, in a sentence; all of it at once would drown them. */
function tellNews() {
  if (!live || unsaid.length === 0) {
    return;
  }
  const launched = unsaid.filter(each => each.kind === 'launch').length;
  const removed = unsaid.filter(each => each.kind === 'remove').length;
  const lost = unsaid.filter(each => each.kind === 'interrupt').length;
  unsaid = [];
  const parts = [
    launched ? `${several(launched, 'launch', 'launches')}` : '',
    removed ? `${several(removed, 'removal')}` : '',
    lost ? `${several(lost, 'interruption')}` : '',
    `${several(live.nodes.size, 'node')}, ${several(podCount(live), 'pod')} running, ${count(live.waiting.length)} waiting, ${money(live.pricePerHour)} an hour`,
  ];
  $('news').textContent = parts.filter(Boolean).join('; ');
}

function listen() {
  const source = new EventSource('/api/stream');
  const who = () => live && live.isReadOnly ? 'The operator' : 'The demo';
  source.addEventListener('picture', event => begin(JSON.parse(event.data)));
  source.addEventListener('change', event => go(JSON.parse(event.data)));
  source.addEventListener('end', () => {
    source.close();
    lose(`${who()} has ended. What you see is how it stood last.`);
  });
  source.addEventListener('error', () => lose(`${who()} does not answer; trying again.`));
}

function lose(words) {
  $('lost').textContent = words;
  $('lost').hidden = false;
}

function listenToVisitor() {
  $('pause').addEventListener('click', () => live && send({action: 'pause', isPaused: !live.isPaused}));
  $('freeze').addEventListener('click', () => live && send({action: 'freeze', isFrozen: !live.isFrozen}));
  $('speed').addEventListener('change', event => send({action: 'speed', speed: Number(event.target.value)}));
  $('interrupt').addEventListener('click', event => {
    if (map.chosen && event.currentTarget.getAttribute('aria-disabled') !== 'true') {
      send({action: 'interrupt', node: map.chosen});
    }
  });
  $('why').addEventListener('click', () => map.chosen && explain('node', map.chosen));
  $('map').addEventListener('keydown', event => {
    const button = $('interrupt').hidden ? $('why') : $('interrupt');
    if (event.key === 'Enter' && map.chosen && !button.hidden) {
      // Else the same key would press the button that it leads to.
      event.preventDefault();
      button.focus();
    }
  });
  $('find').addEventListener('input', () => {
    if ($('find').value.trim()) {
      find();
    } else {
      setFound(null, '');
    }
  });
  $('find-all').addEventListener('click', () => {
    $('find').value = '';
    setFound(null, '');
    $('find').focus();
  });
  $('add').addEventListener('submit', event => {
    event.preventDefault();
    send({
      action: 'addPods',
      count: Number($('add-count').value),
      cpuMillis: Number($('add-cpu').value),
      memoryMebibytes: Number($('add-memory').value),
    });
  });
}

async function start() {
  listenToVisitor();
  listenToDecisions();
  listenToLook(map);
  setInterval(tellNews, NEWS_MILLIS);
  try {
    reel = await (await fetch('/api/moments')).json();
  } catch (failure) {
    // Then the stream fails too, and tells so.
  }
  replay = new Replay(reel, picture => {
    past = picture && stateOf(picture);
    if (live) {
      showAll();
    }
  });
  listen();
}

start();
