import { describe, expect, test } from 'vitest';
import { hexEntry, hexErrors } from '../fixtures';
import { defaults, fieldsOf, hasStrangers, specText, stepped } from './spec';
import type { ParamSpec } from './wire';

// One of each kind.
const params: ParamSpec[] = [
  { name: 'size', kind: { type: 'int', min: 2, max: 19, step: 1 }, default: '11', help: '' },
  { name: 'swap', kind: { type: 'bool' }, default: 'false', help: '' },
  { name: 'sizes', kind: { type: 'list', min_len: 1, max_len: 12, min: 1, max: 255 }, default: null, help: '' },
  { name: 'metric', kind: { type: 'choice', options: ['htm', 'qtm'] }, default: 'htm', help: '' },
];

describe('specText', () => {
  test('of untouched fields is the bare id', () => {
    expect(specText('hex', params, defaults(params))).toBe('hex');
  });
  test('names what differs from the defaults, in the declared order', () => {
    const fields = { ...defaults(params), metric: 'qtm', size: '7', sizes: '1/3/5' };
    expect(specText('hex', params, fields)).toBe('hex:size=7,sizes=1/3/5,metric=qtm');
  });
  test('leaves emptied fields out, and wrong values to the server', () => {
    expect(specText('hex', params, { ...defaults(params), size: ' ', sizes: '' })).toBe('hex');
    expect(specText('hex', params, { ...defaults(params), size: '99' })).toBe('hex:size=99');
  });
});

test('fieldsOf reads a spec back', () => {
  expect(fieldsOf(params, 'hex:size=7,sizes=1/3')).toEqual({ size: '7', swap: 'false', sizes: '1/3', metric: 'htm' });
  expect(fieldsOf(params, 'hex')).toEqual(defaults(params));
  expect(fieldsOf(params, 'hex:other=1')).toEqual(defaults(params));
});

test('an error names the parameter that it is put beside', () => {
  const names = hexEntry.params.map(({ name }) => name);
  const [range, unknown] = hexErrors;
  expect(names).toContain(range?.param);
  expect(range?.message).toContain('from 2 to 19');
  expect(unknown?.param).toBeUndefined();
});

test('a real game declares parameters that can be set', () => {
  const { params } = hexEntry;
  expect(specText('hex', params, { ...defaults(params), size: '7' })).toBe('hex:size=7');
});

test('stepping stays in range and on the grid', () => {
  const kind = { min: 2, max: 10, step: 2 };
  expect(stepped(kind, '4', 1)).toBe('6');
  expect(stepped(kind, '4', -1)).toBe('2');
  expect(stepped(kind, '10', 1)).toBe('10');
  expect(stepped(kind, '2', -1)).toBe('2');
  expect(stepped(kind, '5', 1)).toBe('8');
  expect(stepped(kind, '', 1)).toBe('2');
  expect(stepped(kind, 'x', -1)).toBe('10');
});

test('parameters that the game has not are noticed', () => {
  const { params } = hexEntry;
  expect(hasStrangers(params, 'hex')).toBe(false);
  expect(hasStrangers(params, 'hex:size=7')).toBe(false);
  expect(hasStrangers(params, 'hex:size=seven')).toBe(false);
  expect(hasStrangers(params, 'hex:colour=red')).toBe(true);
  expect(hasStrangers(params, 'hex:size=7,large')).toBe(true);
});
