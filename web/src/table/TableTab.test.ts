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

/** The tab of a table as the server tells of it. */
function tabOf(view: object) {
  const browser = new FakeBrowser();
  const tables = new Tables(localStorage);
  const table = new Table('t', tables, () => {}, browser);
  table.open();
  browser.socket.onopen?.();
  browser.socket.receive(view);
  const tab = mount(TableTab, { target: document.body, props: { table, tables } });
  const labels = () => [...document.querySelectorAll('.tab .buttons > *')].map((it) => it.textContent?.trim());
  return { browser, tab, labels };
}

test('shuffles are spoken of only where chance draws', () => {
  for (const chance of [true, false]) {
    const { tab } = tabOf({ ...views['tic-tac-toe'], chance, seed_hash: 'abc', seed: 'def' });
    expect(document.body.textContent?.includes('shuffle')).toBe(chance);
    expect([...document.querySelectorAll('dt')].some(({ textContent }) => textContent === 'Seed')).toBe(chance);
    unmount(tab);
  }
});

test('while an offer of a draw waits, its button stays in its place', () => {
  const view = { ...views['tic-tac-toe'], draws: true, you: [0], draw_offers: [] as number[] };
  const { browser, tab, labels } = tabOf(view);
  const before = labels();
  expect(before.slice(-2)).toEqual(['Offer a draw', 'New game']);
  browser.socket.receive({ ...view, draw_offers: [0] });
  flushSync();
  expect(labels()).toEqual(before);
  const offer = [...document.querySelectorAll<HTMLButtonElement>('.tab button')].find(
    ({ textContent }) => textContent?.trim() === 'Offer a draw',
  );
  expect(offer?.disabled).toBe(true);
  unmount(tab);
});

test('who offers a draw on a device of several seats does not accept it by a second click', () => {
  const view = { ...views['tic-tac-toe'], draws: true, you: [0, 1], draw_offers: [] as number[] };
  const { browser, tab } = tabOf(view);
  const dialog = document.querySelector('dialog') as HTMLDialogElement;
  dialog.showModal = () => {
    dialog.open = true;
  };
  const button = (label: string) =>
    [...document.querySelectorAll('button')].find(({ textContent }) => textContent?.trim() === label);
  const draws = () => browser.socket.sent.filter(({ type }) => type === 'draw');
  button('Offer a draw')?.click();
  expect(draws().map(({ seat }) => seat)).toEqual([0]);
  browser.socket.receive({ ...view, draw_offers: [0] });
  flushSync();
  button('Accept the draw')?.click();
  flushSync();
  expect(dialog.open).toBe(true);
  expect(dialog.textContent).toContain('Does everybody agree on a draw?');
  expect(draws().length).toBe(1);
  button('Agree')?.click();
  expect(draws().map(({ seat }) => seat)).toEqual([0, 1]);
  unmount(tab);
});
