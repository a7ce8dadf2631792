// The fleet as this page knows it: a whole picture, and what changed since.

const DECISIONS_MAX = 200;

export function stateOf(picture) {
  const nodes = new Map();
  for (const node of picture.nodes) {
    nodes.set(node.name, withFill(node));
  }
  return {...picture, nodes};
}

/** Changes the state in place, and says which parts did change. */
export function applyChange(state, change) {
  for (const name of ['at', 'startedAt', 'speed', 'isPaused', 'isFrozen', 'pricePerHour', 'lowerBoundPerHour', 'counters']) {
    state[name] = change[name];
  }
  for (const name of change.gone) {
    state.nodes.delete(name);
  }
  for (const node of change.nodes) {
    state.nodes.set(node.name, withFill(node));
  }
  for (const name of ['waiting', 'deployments', 'history', 'upcoming']) {
    if (change[name]) {
      state[name] = change[name];
    }
  }
  if (change.moments) {
    state.history.push(...change.moments);
  }
  state.decisions.push(...change.decisions);
  if (state.decisions.length > DECISIONS_MAX) {
    state.decisions.splice(0, state.decisions.length - DECISIONS_MAX);
  }
  return {
    fleet: change.nodes.length + change.gone.length > 0,
    waiting: Boolean(change.waiting),
    upcoming: Boolean(change.upcoming),
    deployments: Boolean(change.deployments),
    history: Boolean(change.history) || (change.moments || []).length > 0,
    decisions: change.decisions,
  };
}

function withFill(node) {
  const cpu = node.cpuTotal > 0 ? node.cpuUsed / node.cpuTotal : 0;
  const memory = node.memoryTotal > 0 ? node.memoryUsed / node.memoryTotal : 0;
  return {...node, cpu, memory, fill: Math.min(1, Math.max(cpu, memory))};
}

export function podCount(state) {
  let pods = 0;
  for (const node of state.nodes.values()) {
    pods += node.pods.length;
  }
  return pods;
}
