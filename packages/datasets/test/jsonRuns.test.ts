import {expect, it} from 'vitest';
import {parseJson} from '../src/formats/jsonRuns.ts';

/** What comes of a text: its value as text with the order of its members, or the error. */
async function outcomeOf(parse: () => unknown): Promise<string> {
  try {
    return JSON.stringify(await parse());
  } catch (error) {
    return String(error);
  }
}

/** The texts, of runs of one element, that have another outcome than `JSON.parse`. */
async function differences(texts: Iterable<string>): Promise<readonly string[]> {
  const wrong: string[] = [];
  for (const text of texts) {
    const expected = await outcomeOf(() => JSON.parse(text));
    const actual = await outcomeOf(() => parseJson(new TextEncoder().encode(text), {runBytes: 1}));
    if (actual !== expected) wrong.push(`${text}: ${actual}; expected ${expected}`);
  }
  return wrong;
}

const TEXT = '{"a":[1],"features":[{"b":"] \\" ,\\\\"},[2,{}],"é",null ,-3] ,"c":{"d":[4,5],"features":[6,7]}}';

it('a text in runs is what JSON.parse makes of it', async () => {
  const texts = ['', '1', '[1,2]', '[[1,2,3],4]', '{"a":[]}', '{"a":[1,2],"b":[3,4]}', '{"a":[1,2],"a":[3,4],"a":5}'];
  expect(
    await differences([...texts, '{"__proto__":[1,2]}', '{"a":[1,,2]}', '{"a":[1,2,]}', '{"a":[,1]}', TEXT]),
  ).toEqual([]);
});

it('so is each text with a wrong character, too many or too few', async () => {
  const texts = new Set<string>();
  for (let i = 0; i <= TEXT.length; i++) {
    texts.add(TEXT.slice(0, i));
    for (const character of ['', '"', '\\', ',', '[', ']', '{', '}', ' ', '0']) {
      texts.add(TEXT.slice(0, i) + character + TEXT.slice(i));
      texts.add(TEXT.slice(0, i) + character + TEXT.slice(i + 1));
    }
  }
  expect(await differences(texts)).toEqual([]);
});

it('reports each run, and ends between two when the signal fires', async () => {
  const bytes = new TextEncoder().encode(JSON.stringify({features: Array.from({length: 50}, (_, i) => ({i}))}));
  const parts: number[] = [];
  await parseJson(bytes, {runBytes: 1, onPart: (part) => parts.push(part)});
  expect(parts.length).toBe(50);
  expect(parts).toEqual(parts.toSorted((a, b) => a - b));
  const controller = new AbortController();
  const onPart = (): void => controller.abort(new Error('enough'));
  await expect(parseJson(bytes, {runBytes: 1, onPart, signal: controller.signal})).rejects.toThrow('enough');
});
