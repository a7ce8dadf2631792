// The nodes as a table: the same as the map, for who does not see it or wants to sort. One page of rows is in the
// document at a time, and only while the table is open.

import {count, element, money, percent, several} from './text.js';

const ROWS = 50;

const $ = id => document.getElementById(id);

const COLUMNS = [
  {name: 'Node', of: node => node.name, sort: node => node.name},
  {name: 'Pool', of: node => node.pool, sort: node => node.pool},
  {name: 'Type', of: node => node.type, sort: node => node.type},
  {name: 'Capacity', of: node => node.capacityType, sort: node => node.capacityType},
  {name: 'Zone', of: node => node.zone, sort: node => node.zone},
  {name: 'State', of: node => node.phase, sort: node => node.phase},
  {name: 'Pods', of: node => count(node.pods.length), sort: node => node.pods.length},
  {name: 'CPU', of: node => percent(node.cpu), sort: node => node.cpu},
  {name: 'Memory', of: node => percent(node.memory), sort: node => node.memory},
  {name: 'Price per hour', of: node => money(node.pricePerHour), sort: node => node.pricePerHour},
];

export class NodeTable {
  constructor(onChoose) {
    this.onChoose = onChoose;
    this.nodes = [];
    this.column = 0;
    this.isDown = false;
    this.page = 0;
    this.heads = COLUMNS.map((column, index) => {
      const head = element('th');
      head.scope = 'col';
      const button = element('button', 'sort', column.name);
      button.type = 'button';
      button.addEventListener('click', () => this.sortBy(index));
      head.append(button);
      return head;
    });
    const row = element('tr');
    row.append(...this.heads);
    $('table-head').replaceChildren(row);
    $('node-table').addEventListener('toggle', () => this.draw());
    $('rows-before').addEventListener('click', () => this.turn(-1));
    $('rows-after').addEventListener('click', () => this.turn(1));
  }

  /** `found` are the names that are looked for, or null for all. */
  show(nodes, found) {
    this.nodes = [...nodes.values()].filter(node => !found || found.has(node.name));
    $('node-table-words').textContent = `${several(this.nodes.length, 'node')} as a table`;
    this.draw();
  }

  sortBy(index) {
    this.isDown = index === this.column ? !this.isDown : index >= 6;
    this.column = index;
    this.page = 0;
    this.draw();
  }

  turn(by) {
    this.page += by;
    this.draw();
  }

  draw() {
    if (!$('node-table').open) {
      return;
    }
    const sort = COLUMNS[this.column].sort;
    const sign = this.isDown ? -1 : 1;
    const sorted = this.nodes.slice().sort((a, b) => {
      const [left, right] = [sort(a), sort(b)];
      return left < right ? -sign : left > right ? sign : a.name < b.name ? -1 : 1;
    });
    const pages = Math.max(1, Math.ceil(sorted.length / ROWS));
    this.page = Math.min(pages - 1, Math.max(0, this.page));
    this.heads.forEach((head, index) => {
      if (index === this.column) {
        head.setAttribute('aria-sort', this.isDown ? 'descending' : 'ascending');
      } else {
        head.removeAttribute('aria-sort');
      }
    });
    const focused = document.activeElement?.dataset?.node;
    $('table-rows').replaceChildren(...sorted.slice(this.page * ROWS, (this.page + 1) * ROWS).map(node => this.row(node)));
    if (focused) {
      document.querySelector(`#table-rows [data-node="${CSS.escape(focused)}"]`)?.focus();
    }
    const last = Math.min(sorted.length, (this.page + 1) * ROWS);
    $('rows-words').textContent = sorted.length ? `${count(this.page * ROWS + 1)} to ${count(last)} of ${count(sorted.length)}` : 'none';
    $('rows-before').disabled = this.page === 0;
    $('rows-after').disabled = this.page === pages - 1;
  }

  row(node) {
    const row = element('tr');
    COLUMNS.forEach((column, index) => {
      const cell = element(index === 0 ? 'th' : 'td');
      if (index === 0) {
        cell.scope = 'row';
        const button = element('button', 'plain', column.of(node));
        button.type = 'button';
        button.dataset.node = node.name;
        button.addEventListener('click', () => this.onChoose(node.name));
        cell.append(button);
      } else {
        cell.textContent = column.of(node);
      }
      row.append(cell);
    });
    return row;
  }
}
