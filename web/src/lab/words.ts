import type { FormatView, RunState } from '../lib/wire';

export const STATES: Record<RunState, string> = {
  running: 'running',
  paused: 'paused',
  stopped: 'stopped',
  done: 'done',
  failed: 'failed',
};

export const FORMATS: Record<FormatView, [name: string, help: string]> = {
  'round-robin': ['Round robin', 'Every agent meets every other.'],
  double: ['Double round robin', 'Every agent meets every other twice.'],
  'knock-out': ['Knock-out', 'Who loses a meeting is out.'],
  swiss: ['Swiss', 'Those meet who have scored alike.'],
};
