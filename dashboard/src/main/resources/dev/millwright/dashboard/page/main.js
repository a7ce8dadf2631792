// Puts the page together: listens to the stream, hands what changed to the parts, sends what the visitor wants.

import {PriceChart} from './chart.js';
import {FleetMap} from './fleet.js';
import {showDecisions, showDeployments, showFigures, showNode, showPace, showWaiting} from './panels.js';
import {applyChange, podCount, stateOf} from './state.js';
import {count, money, several} from './text.js';

const TOAST_MILLIS = 4500;
const NEWS_MILLIS = 8000;
const CHART_MILLIS = 400;

const $ = id => document.getElementById(id);

let state = null;
let chartTimer = 0;
let toastTimer = 0;
let unsaid = [];

const map = new FleetMap($('map'), name => {
  if (state) {
    showNode(state.nodes.get(name), state.at, state.isReadOnly);
  }
});
const chart = new PriceChart($('chart'), $('chart-words'), $('chart-table'));

function begin(picture) {
  state = stateOf(picture);
  document.body.classList.toggle('is-read-only', state.isReadOnly);
  $('title').textContent = state.title;
  $('lost').hidden = true;
  showDecisions(state.decisions, true);
  showParts({fleet: true, waiting: true, deployments: true, history: true}, null);
  requestAnimationFrame(() => requestAnimationFrame(() => {
    performance.mark('first-picture');
    document.body.dataset.ready = 'true';
  }));
}

function go(change) {
  const changed = applyChange(state, change);
  if (changed.decisions.length > 0) {
    showDecisions(changed.decisions, false);
    unsaid.push(...changed.decisions);
  }
  showParts(changed, change.nodes.map(node => node.name).concat(change.gone));
}

function showParts(changed, names) {
  showFigures(state);
  showPace(state);
  map.show(state, names);
  if (changed.waiting) {
    showWaiting(state);
  }
  if (changed.deployments) {
    showDeployments(state, (deployment, replicas) => send({action: 'scale', deployment, replicas}), owner => map.setHighlight(owner));
  }
  if (changed.history && !chartTimer) {
    // Its line is long and moves little: often enough is enough, but the last change is never left out.
    chartTimer = setTimeout(() => {
      chartTimer = 0;
      chart.show(state.history, state.decisions);
    }, names === null ? 0 : CHART_MILLIS);
  }
  showNode(state.nodes.get(map.chosen), state.at, state.isReadOnly);
}

async function send(action) {
  try {
    const answer = await fetch('/api/actions', {
      method: 'POST',
      headers: {'Content-Type': 'application/json'},
      body: JSON.stringify(action),
    });
    const said = await answer.json();
    toast(answer.ok ? said.message : said.error, answer.ok);
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
  if (!state || unsaid.length === 0) {
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
    `${several(state.nodes.size, 'node')}, ${several(podCount(state), 'pod')} running, ${count(state.waiting.length)} waiting, ${money(state.pricePerHour)} an hour`,
  ];
  $('news').textContent = parts.filter(Boolean).join('; ');
}

function listen() {
  const source = new EventSource('/api/stream');
  source.addEventListener('picture', event => begin(JSON.parse(event.data)));
  source.addEventListener('change', event => go(JSON.parse(event.data)));
  source.addEventListener('end', () => {
    source.close();
    lose('The demo has ended. What you see is how it stood last.');
  });
  source.addEventListener('error', () => lose('The demo does not answer; trying again.'));
}

function lose(words) {
  $('lost').textContent = words;
  $('lost').hidden = false;
}

$('pause').addEventListener('click', () => state && send({action: 'pause', isPaused: !state.isPaused}));
$('freeze').addEventListener('click', () => state && send({action: 'freeze', isFrozen: !state.isFrozen}));
$('speed').addEventListener('change', event => send({action: 'speed', speed: Number(event.target.value)}));
$('interrupt').addEventListener('click', event => {
  if (map.chosen && event.currentTarget.getAttribute('aria-disabled') !== 'true') {
    send({action: 'interrupt', node: map.chosen});
  }
});
$('map').addEventListener('keydown', event => {
  if (event.key === 'Enter' && map.chosen && !$('interrupt').hidden) {
    // Else the same key would press the button that it leads to.
    event.preventDefault();
    $('interrupt').focus();
  }
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
setInterval(tellNews, NEWS_MILLIS);
listen();
