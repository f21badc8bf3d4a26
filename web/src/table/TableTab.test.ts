// @vitest-environment happy-dom

import { flushSync, mount, unmount } from 'svelte';
import { expect, test } from 'vitest';
import { choices, views } from '../fixtures';
import { FakeBrowser } from '../lib/fake-browser';
import { Table } from '../lib/table.svelte';
import { Tables } from '../lib/tables';
import TableTab from './TableTab.svelte';

test('who is asked whether they resign is who does, also where another is to act by then', () => {
  const shared = views['tic-tac-toe'];
  const seats = shared.seats.map((seat, i) => ({ ...seat, kind: 'human', occupant: ['Ann', 'Bob'][i] }));
  const toAct = (seat: number) => ({ ...shared, seats, you: [0, 1], choices: { [seat]: choices.moves } });
  const browser = new FakeBrowser();
  const tables = new Tables(localStorage);
  const table = new Table('t', tables, () => {}, browser);
  table.open();
  browser.socket.onopen?.();
  browser.socket.receive(toAct(1));
  const tab = mount(TableTab, { target: document.body, props: { table, tables } });
  const [ask] = [...document.querySelectorAll<HTMLButtonElement>('.tab button')].filter(
    ({ textContent }) => textContent?.trim() === 'Resign',
  );
  ask?.click();
  flushSync();
  expect(document.querySelector('dialog h2')?.textContent?.trim()).toBe('Does Bob resign?');
  browser.socket.receive(toAct(0));
  document.querySelector<HTMLButtonElement>('dialog button[value=yes]')?.click();
  expect(browser.socket.sent.at(-1)).toMatchObject({ type: 'resign', seat: 1 });
  unmount(tab);
});
