import {SHARE, sizeOfShare} from '@epsball/conformance/share';
import {describe, it} from 'vitest';
import {follow} from './follow.ts';

/** The histories of the long run, and their changes. */
const HISTORIES = 1000;
const CHANGES = 1000;

/** The long run takes more CPU time than one test may. */
const PARTS = Math.ceil(sizeOfShare(HISTORIES) / 10);

describe('random histories give the labels, ids and events of clusterings from nothing after every change', () => {
  const changes = sizeOfShare(CHANGES, SHARE >= 1 ? 1 : 0.2);
  it.for(Array.from({length: PARTS}, (_, part) => part))('part %s', (part) => {
    for (let seed = part; seed < sizeOfShare(HISTORIES); seed += PARTS) follow(seed, changes);
  });
});
