import {WorkersUnavailableError} from '@epsball/clustering';
import {bytesFor, checkSendable, SharedArena} from '@epsball/workers';
import {expect, it} from 'vitest';

it('keeps its memory for runs that fit', () => {
  const arena = new SharedArena();
  arena.reserve(bytesFor(40) + bytesFor(3));
  const [words, bytes] = [arena.int32(10), arena.uint8(3)];
  expect(words.buffer).toBe(bytes.buffer);
  expect(bytes.byteOffset).toBe(64);
  arena.reserve(bytesFor(40));
  expect(arena.int32(10).buffer).toBe(words.buffer);
});

it('gives each array a memory of its own where one memory is too large to be sent', () => {
  const arena = new SharedArena(128);
  arena.reserve(2 * bytesFor(100));
  const [words, others] = [arena.int32(25), arena.int32(25)];
  expect(words.buffer).not.toBe(others.buffer);
  for (const {byteOffset, buffer} of [words, others]) expect(byteOffset + buffer.byteLength).toBeLessThanOrEqual(128);
  words.fill(7);
  expect(others.some((x) => x === 7)).toBe(false);
  // A smaller run shares a memory again.
  arena.reserve(bytesFor(4) + bytesFor(4));
  expect(arena.int32(1).buffer).toBe(arena.int32(1).buffer);
});

it('refuses an array that cannot be sent, with the ways out', () => {
  const arena = new SharedArena(128);
  arena.reserve(256);
  expect(() => arena.int32(33)).toThrow(WorkersUnavailableError);
  // Views are cheap to describe: no memory of that size is needed.
  expect(() => checkSendable(4.5 * 2 ** 30)).toThrow('an array of 4831838208 bytes; expected at most 4294967232');
  checkSendable(2 ** 31);
});
