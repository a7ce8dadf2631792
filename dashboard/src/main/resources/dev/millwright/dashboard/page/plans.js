// What is about to go and why, and why the others stay.

import {count, element, money, several} from './text.js';

const COMMANDS_MAX = 20;
const REASONS_MAX = 12;
const NAMES_MAX = 3;
const STAGES = {decided: 'decided; looked at once more first', begun: 'under way'};

const $ = id => document.getElementById(id);

export function showUpcoming(state, onNodes) {
  const lines = state.upcoming.slice(0, COMMANDS_MAX).map(each => {
    const line = element('li', each.stage);
    const head = element('p', 'who');
    head.append(nodesButton(each.nodes, onNodes),
        element('span', 'quiet', each.savedPerHour > 0 ? `${money(each.savedPerHour)} an hour less` : ''));
    line.append(head, element('p', 'why', `${each.reason}: ${each.text}. ${STAGES[each.stage] || each.stage}.`));
    return line;
  });
  if (state.upcoming.length > COMMANDS_MAX) {
    lines.push(element('li', 'quiet', `and ${count(state.upcoming.length - COMMANDS_MAX)} more`));
  }
  $('upcoming').replaceChildren(...lines);
  $('upcoming-none').hidden = lines.length > 0;
}

function nodesButton(nodes, onNodes) {
  const names = nodes.slice(0, NAMES_MAX).join(', ') + (nodes.length > NAMES_MAX ? ', …' : '');
  const button = element('button', 'plain', nodes.length === 1 ? nodes[0] : `${several(nodes.length, 'node')}: ${names}`);
  button.type = 'button';
  button.addEventListener('click', () => onNodes(nodes));
  return button;
}

/** Nodes that stay for one reason are one line; what differs in a reason is its pod or pool. */
export function showKept(state, onNodes) {
  const groups = new Map();
  for (const node of state.nodes.values()) {
    if (node.kept) {
      const names = groups.get(node.kept) || [];
      names.push(node.name);
      groups.set(node.kept, names);
    }
  }
  const shown = [...groups].sort((a, b) => b[1].length - a[1].length || (a[0] < b[0] ? -1 : 1));
  const words = shown.map(([reason, names]) => reason + names.length).join('\n');
  const list = $('kept');
  if (list.dataset.words === words) {
    return;
  }
  list.dataset.words = words;
  const lines = shown.slice(0, REASONS_MAX).map(([reason, names]) => {
    const line = element('li');
    const button = element('button', 'plain', several(names.length, 'node'));
    button.type = 'button';
    button.setAttribute('aria-label', `Show the ${several(names.length, 'node')} kept because: ${reason}`);
    button.addEventListener('click', () => onNodes(names));
    line.append(button, element('span', 'why', reason));
    return line;
  });
  if (shown.length > REASONS_MAX) {
    lines.push(element('li', 'quiet', `and ${several(shown.length - REASONS_MAX, 'reason')} more`));
  }
  list.replaceChildren(...lines);
  $('kept-none').hidden = lines.length > 0;
}
