// What is known about something that the visitor pointed at: the verdict, its reasons, and what would change it.

import {element} from './text.js';

const $ = id => document.getElementById(id);

export class AnswerPanel {
  /** `moment` says which moment is looked at; null is now. */
  constructor(moment) {
    this.moment = moment;
    this.asked = 0;
    this.from = null;
    $('answer-close').addEventListener('click', () => this.close());
    $('answer').addEventListener('keydown', event => {
      if (event.key === 'Escape') {
        this.close();
      }
    });
  }

  explain(kind, name) {
    return this.ask(`Asking about ${kind} ${name} …`, '/api/explain', {kind, name});
  }

  decision(number, words) {
    return this.ask(words, '/api/decision', {number});
  }

  /** The newest question counts: an answer that comes after it is not shown. */
  async ask(words, path, query) {
    const asked = ++this.asked;
    this.from = document.activeElement;
    this.show({subject: 'Why?', verdict: words, reasons: [], changes: [], note: ''}, true);
    const at = this.moment();
    const parameters = new URLSearchParams(at === null ? query : {...query, at});
    let answer;
    try {
      const reply = await fetch(`${path}?${parameters}`);
      const said = await reply.json();
      answer = reply.ok ? said : {subject: 'Nobody can say', verdict: said.error, reasons: [], changes: [], note: ''};
    } catch (failure) {
      answer = {subject: 'Nobody can say', verdict: 'The page got no answer; ask again.', reasons: [], changes: [], note: ''};
    }
    if (asked === this.asked) {
      this.show(answer, false);
    }
  }

  show(answer, isWaiting) {
    const panel = $('answer');
    panel.hidden = false;
    panel.setAttribute('aria-busy', String(isWaiting));
    $('answer-head').textContent = answer.subject;
    $('answer-verdict').textContent = answer.verdict;
    fill('answer-reasons', answer.reasons);
    fill('answer-changes', answer.changes);
    $('answer-changes-head').hidden = answer.changes.length === 0;
    $('answer-note').textContent = answer.note;
    if (isWaiting) {
      $('answer-head').focus();
    }
  }

  /** Back to where the question was asked. */
  close() {
    this.asked++;
    $('answer').hidden = true;
    if (this.from && this.from.isConnected) {
      this.from.focus();
    }
  }
}

function fill(id, lines) {
  $(id).replaceChildren(...lines.map(line => element('li', '', line)));
  $(id).hidden = lines.length === 0;
}
